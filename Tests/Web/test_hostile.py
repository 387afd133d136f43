"""Items that someone else wrote are text, whatever is in them."""

from conftest import expect, opened, row

hostile = {
    "html.yaml": "name: '<img src=x onerror=\"globalThis.bad = 1\"><script>globalThis.bad = 1</script>'\n",
    "link.yaml": "name: 'javascript:globalThis.bad=1'\nurl: 'javascript:globalThis.bad=1'\n",
    "bidi.yaml": 'name: "\\u202Eevil\\u2066"\n',
    "control.yaml": 'name: "a\\e[31mb\\0c\\x9b"\n',
    "keys.yaml": "__proto__: 1\nconstructor: 2\ntoString: 3\nname: keys\n",
    "long.yaml": "name: long\nnote: " + "x" * 1_000_000 + "\n",
    "wide.yaml": "name: wide\n" + "".join(f"field{number}: {number}\n" for number in range(10_000)),
    "deep.json": '{"name": "deep", "a": ' + '{"a": ' * 60 + "1" + "}" * 61,
    "number.json": '{"name": "number", "n": 12345678901234567890.5000}',
    "style.md": "---\nname: style\n---\n<style>body{display:none}</style><iframe src=//example.org></iframe>\n",
    "section.yaml": "name: '</title><script>globalThis.bad = 1</script>'\ngroup: '<b>x</b>'\n",
}


def test_hostile_items_are_text(page, serve):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    server = serve(hostile)
    opened(page, server, "/?section=group")
    expect(page.locator("#counts")).to_contain_text("11 items")
    expect(row(page, "html")).to_contain_text("<img src=x")
    expect(row(page, "bidi")).to_contain_text("⟨202e⟩evil⟨2066⟩")
    expect(row(page, "control")).to_contain_text("a␛[31mb␀c⟨009b⟩")
    expect(page.locator("#rows > .header .name", has_text="<b>x</b>")).to_have_count(1)
    for path in hostile:
        row(page, path.rsplit(".", 1)[0]).click()
        expect(page.locator("#detail .path")).to_have_text(path)
        expect(page.locator("#detail .fields, #detail .notice").first).to_be_visible()
        for part in ["File", "Fields"]:
            page.get_by_role("tab", name=part).click()
        assert page.evaluate("globalThis.bad") is None
        assert page.evaluate("document.querySelectorAll('main img, main script, main iframe, main style, main a[href^=\"javascript:\"]').length") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("({}).polluted") is None
    row(page, "number").click()
    expect(page.locator("[data-field=n]")).to_have_text("12345678901234567890.5000")
    row(page, "keys").click()
    expect(page.locator("[data-field=__proto__]")).to_have_text("1")
    assert all(url.startswith(server.origin) for url in requests)


def test_the_policy_forbids_inline_code(page, serve):
    server = serve({"a.yaml": "name: a\n"})
    opened(page, server)
    page.evaluate("""() => {
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.bad = 1'; document.body.append(script); } catch {}
    }""")
    assert page.evaluate("globalThis.bad") is None
    refused = page.evaluate("(() => { try { document.body.innerHTML = '<p>x</p>'; return 'set'; } catch (error) { return error.name; } })()")
    assert refused == "TypeError"


def test_no_text_keeps_the_page_busy(page, serve):
    texts = ["# a" + " " * 150_000 + "x", "# a" + "#" * 150_000 + "x", "<http://" * 25_000, "**a" * 50_000, "[a](" * 40_000, "_a" * 50_000]
    server = serve({f"n{number}.md": f"---\ntitle: t{number}\n---\n{text}\n" for number, text in enumerate(texts)})
    opened(page, server)
    page.set_default_timeout(10_000)
    for number in range(len(texts)):
        row(page, f"n{number}").click()
        expect(page.locator("[data-field=title]")).to_have_text(f"t{number}")
        expect(page.locator("[data-field=body] .markdown")).not_to_be_empty()


def test_a_column_shows_only_fields_of_the_items(page, serve):
    server = serve({"a.yaml": "name: a\nconstructor: Ferrari\n", "b.yaml": "name: b\n"})
    opened(page, server)
    expect(row(page, "a")).to_contain_text("Ferrari")
    expect(row(page, "b")).not_to_contain_text("function")
    server.write("a.yaml", "name: a\nconstructor: Lotus\n")
    expect(row(page, "a")).to_contain_text("Lotus")
