@testable import Store
import Testing

@testable import Query

struct PredicateErrorTests {
  static func error(_ text: String) -> ItemPredicateError? {
    do throws(ItemPredicateError) {
      _ = try ItemPredicate(text)
      return nil
    } catch {
      return error
    }
  }

  /// The predicate, the column, and a part of the message.
  @Test(
    arguments: [
      ("", 1, "empty"), ("   ", 4, "empty"), ("rating", 0, ""),
      ("rating >", 9, "expected a value or a field after >"),
      ("rating > 3 rating", 12, "expected AND, OR or the end, but found `rating`"),
      ("> 3", 1, "expected a field"), ("rating > > 3", 10, "found `>`"),
      ("rating 3", 8, "expected a comparison"), ("8", 2, "expected a comparison"),
      ("'x'", 4, "expected a comparison"),
      ("rating > 3 AND", 15, "the predicate ends"), ("AND rating > 3", 1, "keyword `AND`"),
      ("rating > 3 OR OR done", 15, "keyword `OR`"),
      ("rating > 3 NOT done", 12, "expected AND, OR or the end"),
      ("NOT", 4, "the predicate ends"), ("rating = 1,2", 11, "found `,`"),
      // Arithmetic
      ("rating + 1 > 3", 8, "there is no arithmetic"), ("rating - 1 > 3", 8, "there is no arithmetic"),
      ("rating -1 > 3", 8, "there is no arithmetic"), ("rating * 2 > 3", 8, "there is no arithmetic"),
      ("rating > 3 / 4", 12, "there is no arithmetic"), ("rating > 3+4", 11, "there is no arithmetic"),
      ("rating > 3-4", 11, "there is no arithmetic"), ("due < @today + 7", 17, "units d"),
      ("due < @today-30d", 7, "a space on each side"),
      ("due < @today -30d", 14, "a space on each side"), ("due < @today+ 30d", 13, "a space on each side"),
      ("due < @today - d", 16, "a number with a unit"),
      ("due < @today - 30 d", 18, "right after"), ("due < @today - 30h", 18, "d (days)"),
      ("due < @today - 1d + 1d", 19, "no arithmetic"),
      ("due < @today - 9999999999999999999999d", 16, "at most"),
      ("due < 2024-01-01 - 1d", 18, "no arithmetic"),
      ("a IS 3", 6, "NULL or NOT NULL"),
      ("a IS", 5, "NULL"), ("a IS NOT", 9, "expected NULL"), ("ANY a (b", 9, "to close"),
      ("ANY a ()", 8, "expected a field"),
      ("ANY a (b = 1", 13, "to close the `(` at column 7"),
      ("ANY a (b + 1 = 2)", 10, "no arithmetic"), ("ANY a (@foo = 1)", 8, "@modified"),
      ("count(tags) > 3", 6, "there are no functions"),
      // Operators
      ("name ~= 'x'", 6, "LIKE or MATCHES"), ("name =~ 'x'", 7, "LIKE or MATCHES"),
      ("a === 1", 5, "write equality as ="),
      ("a = 1 & b = 2", 7, "write AND"), ("a = 1 | b = 2", 7, "write OR"),
      ("a == %@", 6, "only a format has arguments"),
      ("a == $x", 6, "no variables"), ("x NOT IN {1}", 3, "write NOT before the field"),
      ("a = 1 XOR b = 2", 7, "expected AND, OR or the end"),
      ("name LIKE 8", 11, "here; for a string, write \"8\""), ("name BEGINSWITH nil", 17, "string in quotes"),
      ("name MATCHES name", 14, "found `name` here; for a string, write \"name\""),
      ("name MATCHES {1}", 14, "regular expression"),
      ("name ENDSWITH {1, 2}", 15, "string in quotes"),
      ("x BETWEEN 3", 11, "two values in braces"), ("x BETWEEN {1}", 11, "two values"),
      ("x BETWEEN {1, 2, 3}", 11, "two values"),
      ("x IN 5", 6, "list in braces"), ("x IN (1, 2)", 8, "braces"),
      ("x IN {1, 2", 11, "close the `{` at column 6"),
      ("x IN {1 2}", 9, "expected , or `}`"), ("x IN {1,}", 9, "after the comma"),
      ("x IN {,}", 7, "a value or }"),
      ("name CONTAINS[x] 'a'", 15, "ignore case"), ("name CONTAINS[] 'a'", 15, "ignore case"),
      ("name ==[cd 'a'", 12, "then ]"),
      ("a == [1, 2]", 7, "ignore case"), ("name LIKE", 10, "string in quotes"),
      // Quotes, parentheses, numbers, dates
      ("name = \"abc", 8, "not closed"), ("name = 'abc\\'", 8, "not closed"), ("`name = 3", 1, "not closed"),
      ("name = '\\u12'", 9, "four hexadecimal"), ("name = '\\ud800'", 9, "hexadecimal"),
      ("(rating > 3", 12, "close the `(` at column 1"),
      ("a = 1 AND ((b = 2)", 19, "close the `(` at column 11"),
      ("rating > 3)", 11, "found `)`"), ("()", 2, "expected a field"), ("rating = (3", 12, "close the `(`"),
      ("rating > 5.", 12, "digits after the decimal point"), ("5rating > 3", 1, "backquotes"),
      ("rating > 12ab", 10, "a field name that begins with a digit"),
      ("due = 2024-02-30", 7, "not a valid date"),
      ("due = 2024-01-01T25:00", 7, "not a valid date"),
      ("due = 2024-01-31x", 7, "not a valid date"),
      ("due < 31.12.2026", 7, "write a date as `2026-12-31`"), ("due < 1.2.2026", 7, "`2026-02-01`"),
      ("due < 12/31/2026", 7, "`2026-12-31`"),
      ("due < 31/12/2026", 7, "`2026-12-31`"), ("due < 1/2/2026", 7, "write a date as `2024-01-31`"),
      ("due < 2026-1-5", 7, "`2026-01-05`"),
      ("due < 2026/12/31", 7, "`2026-12-31`"), ("due < 31.2.2026", 7, "write a date as `2024-01-31`"),
      ("a = 1.2.3", 8, "found `.3`"),
      // Lists and strings
      ("name IN 'a','b'", 12, "write a list in braces"),
      ("name LIKE Mend*", 15, "put the string in quotes: \"Mend*\""),
      ("name LIKE *Mend* AND a = 1", 11, "in quotes: \"*Mend*\""),
      ("name LIKE M?nd", 12, "in quotes: \"M?nd\""),
      ("name LIKE 8*", 11, "for a string, write \"8*\""), ("name MATCHES ^a.*$", 14, "in quotes: \"^a.*$\""),
      ("name LIKE Mend * 2", 16, "there is no arithmetic"),
      ("name LIKE other AND a * 2 = 4", 23, "there is no arithmetic"),
      // Names
      ("first name = 3", 7, "a field name with spaces in backquotes"), ("like > 3", 1, "keyword `like`"),
      ("in = 3", 1, "backquotes"),
      ("all", 4, "the field of a list"), ("ANY 'x' = tags", 5, "the field of a list"),
      ("ANY (tags) = 3", 0, ""),
      ("ANY", 4, "the field of a list"),
      ("a..b = 3", 3, "a key after the dot"), ("a. = 3", 4, "a key after the dot"),
      ("a.'b' = 3", 3, "a key after the dot"),
      (".a = 3", 1, "expected a field"), ("@now > 3", 1, "no `@now`"), ("@foo = 3", 1, "@modified"),
      ("@ = 3", 1, "@today"),
      ("tags.@foo = 1", 6, "@count"), ("@count = 1", 1, "tags.@count"),
      ("@path.x = 'a'", 7, "nothing below @path"),
      ("tags.@id = 'a'", 6, "@count"), ("a.@max.b.@count = 1", 10, "one operator"),
      ("tags.@count[0] = 1", 12, "has no elements"),
      ("tags[x] = 1", 6, "a number from 0"), ("tags[-1] = 1", 6, "a number from 0"), ("tags[0 = 1", 8, "`]`"),
      ("tags[] = 1", 6, "a number from 0"), ("@today.x = 1", 7, "expected a comparison"),
      // Patterns
      ("name MATCHES 'a('", 14, "`(` at character 2"), ("name MATCHES 'a)'", 14, "`)` at character 2"),
      ("name MATCHES '[a'", 14, "`[` at character 1"), ("name MATCHES '*a'", 14, "use LIKE"),
      ("name MATCHES 'a\\\\'", 14, "backslash"),
      ("name MATCHES 'a{2,1}'", 14, "not a valid regular expression"),
      ("name MATCHES 'a)|(b'", 14, "closes nothing"),
      // Columns count characters.
      ("name = 'é😀👨‍👩‍👧' & 3", 14, "write AND"), ("nàme\u{301} ~ 3", 6, "LIKE"),
    ] as [(String, Int, String)])
  func `an error has the column of the mistake`(_ text: String, _ column: Int, _ part: String) {
    guard column > 0 else {
      #expect(PredicateErrorTests.error(text) == nil)
      return
    }
    let error = PredicateErrorTests.error(text)
    #expect(error?.column == column)
    #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "no error")")
    #expect(error?.text == text)
  }

  @Test func `an error is printed with a caret`() {
    #expect(
      PredicateErrorTests.error("rating + 1 > 3").map(String.init(describing:))
        == "rating + 1 > 3\n       ^ column 8: expected a comparison such as =, AND, OR or the end, but found `+` here; there is no arithmetic"
    )
  }

  @Test func `an error shows only the text around it`() throws {
    let error = try #require(
      PredicateErrorTests.error(
        String(repeating: "a = 1 AND ", count: 1_000) + "+" + String(repeating: " OR b = 2", count: 1_000)))
    let lines = error.description.split(separator: "\n")
    #expect(error.column == 10_001)
    #expect(lines.count == 2)
    #expect(lines[0].count == 82)
    #expect(lines[0].hasPrefix("…"))
    #expect(lines[0].hasSuffix("…"))
    #expect(lines[0].dropFirst(lines[1].prefix { $0 == " " }.count).first == "+")
  }

  @Test(arguments: [
    "a = '\u{1B}[2J\u{202E}\r\n' +", "a = 1 '\u{1B}]0;x\u{7}\u{202E}\r\n'", "a = 1 \u{9B}", "a \u{200F} = 1",
  ])
  func `an error cannot control the terminal`(_ text: String) throws {
    let error = try #require(PredicateErrorTests.error(text))
    #expect(error.description.split(separator: "\n").count == 2)
    #expect(
      error.description.unicodeScalars.allSatisfy {
        $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
      })
  }

  @Test(arguments: ["a.", "a[0].", "a[0]", "x.b[0]", "'x", "1", "2024-01-01:", "@", "\u{e9}"])
  func `long predicates are parsed in linear time`(_ piece: String) throws {
    let error = PredicateErrorTests.error("a" + String(repeating: piece, count: 20_000) + " +")
    #expect((error?.message.count ?? 0) < 400)
  }

  @Test(arguments: ["(", "{", "NOT (", "a = (", "a IN {{", "!(", "ANY "])
  func `nesting is bounded`(_ piece: String) throws {
    let error = try #require(PredicateErrorTests.error(String(repeating: piece, count: 100_000)))
    #expect(!error.message.isEmpty)
  }
}
