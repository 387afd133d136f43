import Files
import HTTPTypes

/// A page with one sentence, without scripts. It has its styles in itself, since a browser without a
/// session loads no others.
struct SmallPage {
  let title: String
  let text: String
  var command: String?
  var link: (target: String, words: String)?
  var links: [(target: String, words: String)] = []
  /// True if the browser follows the link at once.
  var opensLink = false

  func response(_ status: HTTPResponse.Status) -> ServerResponse {
    var html =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
    html +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>\(SmallPage.escaped(title))</title>\n"
    let nonce = AccessTokens.random()
    html += "<style nonce=\"\(nonce)\">\n\(SmallPage.styles)</style>\n"
    if opensLink, let link {
      html += "<meta http-equiv=\"refresh\" content=\"0; url=\(SmallPage.escaped(link.target))\">\n"
    }
    html +=
      "<main class=\"small\">\n<h1>\(SmallPage.escaped(title))</h1>\n<p>\(SmallPage.escaped(text))</p>\n"
    if let command { html += "<pre><code>\(SmallPage.escaped(command))</code></pre>\n" }
    if let link {
      html += "<p><a href=\"\(SmallPage.escaped(link.target))\">\(SmallPage.escaped(link.words))</a></p>\n"
    }
    if !links.isEmpty {
      let items = links.map { target, words in
        "<li><a href=\"\(SmallPage.escaped(target))\">\(SmallPage.escaped(DisplayText.safe(words)))</a></li>\n"
      }
      html += "<ul>\n\(items.joined())</ul>\n"
    }
    html += "</main>\n"
    var response = ServerResponse(status, type: "text/html; charset=utf-8", Array(html.utf8))
    // Only the styles above are those of this page: text that was injected into it doesn't have it.
    response.head.headerFields[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return response
  }

  private static let styles = String(
    decoding: PageAsset.all.first { $0.name == "plain.css" }?.bytes ?? [], as: UTF8.self)

  private static func escaped(_ text: String) -> String {
    String(decoding: text.utf8.escapedForHTML, as: UTF8.self)
  }
}
