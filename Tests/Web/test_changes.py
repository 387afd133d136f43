"""Changes arrive from outside, and the list shows what they did to it."""

import signal
import subprocess

import pytest
from conftest import expect, expect_rows, motion, opened, record_motion, row, rows

people = {"ada.yaml": "name: Ada\nrating: 7\n", "bob.yaml": "name: Bob\nrating: 8\n", "cleo.yaml": "name: Cleo\nrating: 9\n"}


def test_a_save_moves_a_row_and_says_what_changed(page, serve):
    server = serve(people)
    opened(page, server, "/?sort=rating")
    record_motion(page)
    server.write("ada.yaml", "name: Ada\nrating: 10\n")
    expect_rows(page, ["bob", "cleo", "ada"])
    expect(row(page, "ada")).to_contain_text("7 → 10")
    assert sorted(motion(page, "slide")) == ["ada", "bob", "cleo"]
    assert motion(page, "highlight") == ["ada"]
    expect(row(page, "ada")).to_have_text("Ada10")


def test_rows_appear_and_fade(page, serve):
    server = serve(people)
    opened(page, server)
    record_motion(page)
    server.write("bea.yaml", "name: Bea\nrating: 1\n")
    expect_rows(page, ["ada", "bea", "bob", "cleo"])
    assert motion(page, "appear") == ["bea"]
    (server.folder / "ada.yaml").unlink()
    expect_rows(page, ["bea", "bob", "cleo"])
    assert motion(page, "vanish") == ["ada"]


def test_a_git_checkout_is_one_change(page, serve):
    server = serve(people)
    git = lambda *words: subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words], cwd=server.folder, check=True, capture_output=True)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "First")
    opened(page, server, "/?sort=rating")
    git("checkout", "-qb", "later")
    server.write("cleo.yaml", "name: Cleo\nrating: 1\n")
    server.write("dan.yaml", "name: Dan\nrating: 2\n")
    git("add", ".")
    git("commit", "-qm", "Second")
    expect_rows(page, ["cleo", "dan", "ada", "bob"])
    record_motion(page)
    git("checkout", "-q", "main")
    expect_rows(page, ["ada", "bob", "cleo"])
    assert motion(page, "vanish") == ["dan"]
    assert "cleo" in motion(page, "slide")


def test_reduced_motion_moves_nothing(browser, serve):
    server = serve(people)
    context = browser.new_context(reduced_motion="reduce")
    page = opened(context.new_page(), server, "/?sort=rating")
    record_motion(page)
    server.write("ada.yaml", "name: Ada\nrating: 10\n")
    expect_rows(page, ["bob", "cleo", "ada"])
    expect(row(page, "ada")).to_contain_text("7 → 10")
    server.write("bea.yaml", "name: Bea\nrating: 1\n")
    expect_rows(page, ["bea", "bob", "cleo", "ada"])
    (server.folder / "bob.yaml").unlink()
    expect_rows(page, ["bea", "cleo", "ada"])
    assert {name for name, *_ in page.evaluate("motion")} == {"highlight"}
    assert motion(page, "highlight") == ["ada", "bea"]
    context.close()


def test_many_changes_are_one_highlight(page, serve):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(300)})
    opened(page, server, "/?sort=n")
    record_motion(page)
    # All changes arrive at once after the stop.
    server.process.send_signal(signal.SIGSTOP)
    for number in range(300):
        server.write(f"n{number:03}.yaml", f"n: {1_000 - number * 7 % 300}\n")
    server.process.send_signal(signal.SIGCONT)
    page.wait_for_function("() => globalThis.motion.some(one => one[0] === 'highlight' && one[1] === 'rows')")
    assert motion(page, "slide") == []


# Sends lines of a stream to the rows of the page: `[pause before it, changes]`. Between them the rows move.
# The clock of the page stands still between them: on a busy machine a pause is longer than it should be.
cut_lines = """async (parts) => {
  let clock = performance.now();
  performance.now = () => clock;
  const { rows } = page.list.line;
  const found = new Map(rows.filter((row) => row.id !== undefined).map((row) => [row.id, row]));
  let order = [...found.values()];
  for (const [pause, number] of parts) {
    await new Promise((done) => setTimeout(done, pause));
    clock += pause;
    order = [...order.slice(1), order[0]];
    const made = order.map((row, index) => ({ ...row, position: index + 1, change: index < 3 ? 'move' : undefined }));
    page.rows.receive({ ...page.list.line, type: 'window', answer: undefined, rows: made, changes: { move: number } }, false, false);
  }
  await new Promise((done) => setTimeout(done, 700));
  delete performance.now;
}"""


@pytest.mark.parametrize("parts", [
    [[0, 300]], [[0, 22], [20, 278]], [[0, 100], [50, 100], [50, 100]], [[0, 1], [100, 299]], [[0, 299], [200, 1]],
    [[0, 201], [250, 30], [250, 30], [250, 30]],
])
def test_many_changes_are_one_highlight_however_they_are_cut(page, serve, parts):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(20)})
    opened(page, server, "/?sort=n")
    record_motion(page)
    page.evaluate(cut_lines, parts)
    assert motion(page, "slide") == []
    assert set(motion(page, "highlight")) == {"rows"}


def test_few_changes_that_are_cut_still_move(page, serve):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(20)})
    opened(page, server, "/?sort=n")
    record_motion(page)
    page.evaluate(cut_lines, [[0, 2], [50, 2]])
    assert motion(page, "slide") != []
    assert "rows" not in motion(page, "highlight")


def test_what_changed_in_two_parts_is_shown_from_the_first_value(page, serve):
    server = serve(people)
    opened(page, server, "/?sort=rating")
    server.write("ada.yaml", "name: Ada\nrating: 8.5\n")
    expect_rows(page, ["bob", "ada", "cleo"])
    page.evaluate("""() => {
      const line = page.list.line;
      const made = (value, before) => ({ ...line, answer: undefined, changes: { move: 1, update: 1 }, rows: line.rows.map((row) =>
        row.id !== 'ada' ? { ...row } : { ...row, value: { ...row.value, rating: value }, change: 'update', fields: ['/rating'], before: { rating: before } }) });
      page.rows.receive(made(8.6, 8.5), false, false);
      page.rows.receive(made(8.7, 8.6), false, false);
    }""")
    expect(row(page, "ada")).to_contain_text("8.5 → 8.7")


def test_a_row_that_fades_out_keeps_its_columns(page, serve):
    server = serve(people)
    opened(page, server)
    page.evaluate("""() => {
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        return animate.call(this, frames, options.id === 'vanish' ? { ...options, duration: 60_000 } : options);
      };
    }""")
    places = "row => [...row.children].map(cell => cell.getBoundingClientRect().x)"
    before = row(page, "ada").evaluate(places)
    assert len(before) == 2 and before[0] < before[1]
    (server.folder / "ada.yaml").unlink()
    fading = page.locator('#rows > [role=presentation][data-id="ada"]')
    expect(fading).to_have_count(1)
    assert fading.evaluate(places) == before
    assert fading.evaluate("row => row.getBoundingClientRect().height") == row(page, "bob").bounding_box()["height"]


def test_a_changed_list_shows_its_new_element(page, serve):
    start = "name: A rather long name of some item\ntags: [Unknown]\n"
    server = serve({"ada.yaml": start, **{f"n{number}.yaml": "name: Other\ntags: [a]\nrating: 1\ncolor: red\n" for number in range(3)}})
    opened(page, server)
    cell = row(page, "ada").locator(".changing .new")
    for text, shown in [("[Unknown, New]", "New"), ("[Unknown]", None), ("[Other]", "Other")]:
        server.write("ada.yaml", start.replace("[Unknown]", text))
        if shown is None:
            expect(row(page, "ada").locator("del")).to_have_text("New")
            continue
        expect(cell).to_have_text(shown)
        assert cell.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
        box, around = cell.bounding_box(), cell.locator("..").bounding_box()
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1


def test_a_change_during_a_slide_begins_where_the_row_is(page, serve):
    server = serve(people)
    opened(page, server, "/?sort=rating")
    page.evaluate("""() => {
      globalThis.slides = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        if (options.id !== 'slide') return animate.call(this, frames, options);
        const before = this.getBoundingClientRect().y;
        const running = this.getAnimations().filter(one => one.id === 'slide').length;
        const animation = animate.call(this, frames, { ...options, duration: 60_000 });
        animation.currentTime = running ? 0 : 20_000;
        const place = this.getBoundingClientRect().y - new DOMMatrixReadOnly(getComputedStyle(this).transform).m42;
        slides.push([this.dataset.id, running, place + new DOMMatrixReadOnly(frames[0].transform).m42]);
        globalThis.seen ??= {};
        seen[this.dataset.id] = this.getBoundingClientRect().y;
        return animation;
      };
    }""")
    server.write("ada.yaml", "name: Ada\nrating: 10\n")
    expect_rows(page, ["bob", "cleo", "ada"])
    first = page.evaluate("({ ...seen })")
    server.write("ada.yaml", "name: Ada\nrating: 8.5\n")
    expect_rows(page, ["bob", "ada", "cleo"])
    second = {name: start for name, running, start in page.evaluate("slides") if running}
    assert set(second) == {"ada", "bob", "cleo"}
    for name, start in second.items():
        assert abs(start - first[name]) < 1


def test_a_row_that_leaves_the_view_slides_out(page, serve):
    server = serve({f"n{number:03}.yaml": f"n: {number}\n" for number in range(100)})
    opened(page, server, "/?sort=n")
    record_motion(page)
    server.write("n005.yaml", "n: 35.5\n")
    expect(row(page, "n005")).to_have_count(0)
    assert motion(page, "leave") == ["n005"]
    expect(page.locator("#rows > :not([role=row])")).to_have_count(0)
    expect_true_positions(page, 100)
    server.write("n005.yaml", "n: 5\n")
    expect(row(page, "n005")).to_be_visible()
    assert "n005" in motion(page, "appear")
    expect_true_positions(page, 100)


def expect_true_positions(page, total):
    """Each row has its place in the list, which is one more than its index with the headers of the columns."""
    assert page.locator("#list").get_attribute("aria-rowcount") == str(total + 1)
    for item, index, position, size in page.evaluate("""() => [...document.querySelectorAll('#rows > [role=row]:not(.gone, .moved)')]
      .map(row => [row.row.position, ...['rowindex', 'posinset', 'setsize'].map(name => Number(row.getAttribute(`aria-${name}`)))])"""):
        assert (index, position, size) == (item + 1, item, total)


def test_pause_counts_what_waits(page, serve):
    server = serve(people)
    opened(page, server)
    page.keyboard.press("p")
    expect(page.locator("#pause")).to_have_attribute("aria-pressed", "true")
    server.write("dan.yaml", "name: Dan\n")
    expect(page.locator("#pause")).to_have_text("Resume (1)")
    server.write("eve.yaml", "name: Eve\n")
    expect(page.locator("#pause")).to_have_text("Resume (2)")
    assert rows(page) == ["ada", "bob", "cleo"]
    page.keyboard.press("p")
    expect_rows(page, ["ada", "bob", "cleo", "dan", "eve"])
    expect(page.locator("#pause")).to_have_text("Pause")


def test_rows_hold_still_under_a_pressed_pointer(page, serve):
    server = serve(people)
    opened(page, server)
    row(page, "bob").hover()
    page.mouse.down()
    server.write("aaa.yaml", "name: Aaa\n")
    page.wait_for_function("() => page.rows.waiting === 1")
    assert rows(page) == ["ada", "bob", "cleo"]
    page.mouse.up()
    expect_rows(page, ["aaa", "ada", "bob", "cleo"])
    expect(page.locator("#detail h2")).to_have_text("Bob")


def test_the_focused_row_never_leaves_the_page(page, serve):
    server = serve(people)
    opened(page, server)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(row(page, "bob")).to_be_focused()
    (server.folder / "bob.yaml").unlink()
    expect(row(page, "bob")).to_contain_text("deleted")
    expect(row(page, "bob")).to_be_focused()
    expect(page.locator("#counts")).to_have_text("2 items")
    page.keyboard.press("j")
    expect_rows(page, ["ada", "cleo"])


def test_a_menu_does_not_hold_the_rows(page, serve):
    """The end of the press that opens a menu goes to the menu."""
    server = serve(people)
    opened(page, server)
    row(page, "bob").hover()
    page.mouse.down(button="right")
    expect(row(page, "bob")).to_be_visible()
    server.write("aaa.yaml", "name: Aaa\n")
    expect_rows(page, ["aaa", "ada", "bob", "cleo"])
    page.mouse.up(button="right")


def test_a_deleted_row_that_comes_back_is_as_before(page, serve):
    server = serve(people)
    opened(page, server)
    row(page, "bob").focus()
    page.keyboard.press("Delete")
    expect(row(page, "bob")).to_contain_text("deleted")
    assert page.locator("#rows > [role=row]").evaluate_all("rows => rows.map(row => row.dataset.id)") == ["ada", "bob", "cleo"]
    expect_true_positions(page, 2)
    page.keyboard.press("u")
    expect(row(page, "bob")).to_have_class("row")
    expect(row(page, "bob")).not_to_contain_text("deleted")
    expect(row(page, "bob")).to_be_focused()
    expect_true_positions(page, 3)
    tops = [row(page, item).bounding_box()["y"] for item in ["ada", "bob", "cleo"]]
    assert tops[2] - tops[1] == tops[1] - tops[0]


def test_a_focused_row_that_moves_far_away_covers_no_other(page, serve):
    server = serve({f"n{number:04}.yaml": f"n: {number}\n" for number in range(2_000)})
    opened(page, server, "/?sort=n")
    row(page, "n0003").focus()
    server.write("n0003.yaml", "n: 5000\n")
    expect(row(page, "n0003")).to_contain_text("moved")
    expect(row(page, "n0003")).to_be_focused()
    expect_true_positions(page, 2_000)
    tops = [row(page, f"n{number:04}").bounding_box()["y"] for number in range(6)]
    assert len({later - earlier for earlier, later in zip(tops, tops[1:])}) == 1
    server.write("n0003.yaml", "n: 3\n")
    expect(row(page, "n0003")).to_have_class("row")
    expect(row(page, "n0003")).to_be_focused()
    server.write("n0003.yaml", "n: 5000\n")
    expect(row(page, "n0003")).to_contain_text("moved")
    page.keyboard.press("Enter")
    expect(page.locator("#detail h2")).to_have_text("n0003")


def test_rows_under_the_eye_hold_still_when_others_come_above(page, serve):
    server = serve({f"n{number:04}.yaml": f"n: {number}\n" for number in range(2_000)})
    opened(page, server)
    page.locator("#scroller").evaluate("scroller => { scroller.scrollTop = 36 * 1_000; }")
    expect(row(page, "n1000")).to_be_visible()
    before = row(page, "n1005").bounding_box()["y"]
    for number in range(5):
        server.write(f"a{number}.yaml", "n: 0\n")
    expect(page.locator("#counts")).to_have_text("2,005 items")
    assert abs(row(page, "n1005").bounding_box()["y"] - before) < 1


def test_summaries_are_polite_and_rare(page, serve):
    server = serve(people)
    opened(page, server)
    live = page.locator("#live")
    expect(live).to_have_attribute("aria-live", "polite")
    expect(live).to_have_text("3 items.")
    page.evaluate("""() => {
      globalThis.spoken = [];
      new MutationObserver(() => spoken.push([performance.now(), live.textContent])).observe(live, { childList: true });
    }""")
    for number in range(8):
        server.write("ada.yaml", f"name: Ada\nrating: {number + 20}\n")
        expect(row(page, "ada")).to_contain_text(str(number + 20))
    # On a busy machine the eight changes take longer than the pause between two summaries.
    page.wait_for_function("() => spoken.reduce((sum, [, text]) => sum + Number(/^3 items: (\\d+) changed\\.$/.exec(text)[1]), 0) === 8")
    times = [time for time, _ in page.evaluate("spoken")]
    assert len(times) < 8
    assert all(later - earlier > 4_900 for earlier, later in zip(times, times[1:]))


def test_a_problem_keeps_the_row_and_marks_it(page, serve):
    server = serve(people)
    opened(page, server)
    server.write("ada.yaml", "name: [Ada\n")
    expect(page.locator("#counts")).to_contain_text("1 problem")
    expect(row(page, "ada").locator(".warning")).to_have_attribute("title", "This list is not closed. Add the missing `]`.")
    server.write("ada.yaml", "name: Ada\nrating: 7\n")
    expect(page.locator("#counts")).to_have_text("3 items")
    expect(row(page, "ada").locator(".warning")).to_have_count(0)
