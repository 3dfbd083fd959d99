//! The page as people use it, in a browser: from disk, at two widths, light and dark.

use std::time::Instant;

use seedproof_report::{Run, html};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chromium::Browser;
use crate::sample::runs::{NOTE, NOTED, REASON, expecting, noted, wicked};
use crate::sample::{ALL, CLEAN, FALLS, FUSED, SWAPPED, events, log, run};

/// A page on disk.
struct Page {
    _folder: TempDir,
    url: String,
}

impl Page {
    fn of(run: &Run) -> Self {
        let folder = tempfile::tempdir().expect("make a folder");
        let path = folder.path().join("report.html");
        std::fs::write(&path, html(run, &[]).expect("a page")).expect("write the page");
        Self {
            url: format!("file://{}", path.display()),
            _folder: folder,
        }
    }

    /// Nothing was said and nothing but the page itself was fetched.
    fn is_quiet(&self, browser: &Browser) {
        assert_eq!(browser.complaints(), Vec::<String>::new());
        let own = |url: &String| url.split('#').next() == Some(&self.url);
        let others: Vec<String> = browser.fetched().into_iter().filter(|url| !own(url)).collect();
        assert_eq!(others, Vec::<String>::new());
    }
}

const LOOKS: [(&str, u32, u32, bool, &str); 4] = [
    ("desktop-light", 1280, 900, false, "light"),
    ("desktop-dark", 1280, 900, false, "dark"),
    ("phone-light", 390, 844, true, "light"),
    ("phone-dark", 390, 844, true, "dark"),
];

/// The smallest contrast of visible text with what is behind it, with the text.
const CONTRAST: &str = r"
(() => {
  const parse = c => { const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { const layers = []; for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]); };
  let worst = [99, ''];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || !e.getClientRects().length || e.closest('script, style, svg')) continue;
    const back = behind(e), front = over(parse(getComputedStyle(e).color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 120)];
  }
  return worst;
})()";

fn is_legible(browser: &mut Browser) {
    let worst = browser.eval(CONTRAST);
    assert!(worst[0].as_f64().expect("a ratio") >= 4.5, "{worst}");
    let overflow = browser.eval("document.documentElement.scrollWidth - screen.width");
    assert!(
        overflow.as_i64().expect("a width") <= 0,
        "the page is {overflow} px too wide"
    );
}

/// The ids of the cases that the matrix lists.
fn listed(browser: &mut Browser) -> Vec<String> {
    let ids = browser.eval("[...document.querySelectorAll('#grid th a')].map(a => a.title)");
    serde_json::from_value(ids).expect("texts")
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.eval(&format!("document.querySelector({}).innerText", json!(selector)));
    text.as_str().expect("a text").to_owned()
}

pub(crate) fn browser_uses_the_page_of_a_failing_run() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&ALL));
    for (name, width, height, phone, scheme) in LOOKS {
        browser.look(width, height, phone, scheme);
        browser.open(&page.url);
        is_legible(&mut browser);
        browser.picture(&format!("{name}.png"), true);

        browser.click("#search");
        browser.type_text("range-negative ru8.mt.twist");
        assert_eq!(
            listed(&mut browser),
            ["ru8/pytorch/f32/range-negative", "ru8/pytorch/f64/range-negative"]
        );
        browser.click("[data-word=timeout]");
        assert_eq!(listed(&mut browser), Vec::<String>::new());
        let fragment = browser.eval("location.hash");
        browser.open(&format!("{}{}", page.url, fragment.as_str().expect("a fragment")));
        assert_eq!(
            browser.eval("search.value"),
            "range-negative ru8.mt.twist",
            "a view can be sent"
        );
        assert_eq!(text(&mut browser, "#grid caption"), "No case matches.");
        browser.click("#shown button");
        browser.click("[data-word=timeout]");
        assert!(
            listed(&mut browser)
                .iter()
                .all(|id| id.ends_with("f64/range-wide"))
        );
        browser.picture(&format!("{name}-filtered.png"), false);

        browser.open(&format!("{}#case=ru8/tensorflow/f16/range-negative", page.url));
        assert_eq!(
            text(&mut browser, "#case h1"),
            "ru8/tensorflow/f16/range-negative"
        );
        assert_eq!(browser.eval("document.activeElement.tagName"), "H1");
        assert_eq!(
            text(&mut browser, "#at-1 .bits mark"),
            "0",
            "the last bit differs"
        );
        is_legible(&mut browser);
        browser.picture(&format!("{name}-case.png"), true);
        browser.call(
            "Browser.grantPermissions",
            &json!({ "permissions": ["clipboardReadWrite"] }),
        );
        browser.click("#at-1 .copy");
        assert_eq!(
            browser.eval("navigator.clipboard.readText()"),
            "seedproof run --backend saboteur/fused-scale ru8/tensorflow/f16/range-negative"
        );
        browser.press("Escape");
        assert_eq!(browser.eval("document.getElementById('case').hidden"), true);
        page.is_quiet(&browser);
    }
}

pub(crate) fn browser_reaches_a_case_by_keyboard_and_comes_back() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&[CLEAN, FALLS]));
    browser.look(1280, 900, false, "light");
    browser.open(&page.url);
    browser.press("/");
    assert_eq!(browser.eval("document.activeElement.id"), "search");
    browser.type_text("f16/range-negative");
    browser.eval("document.querySelector('#grid td a').focus()");
    browser.eval("document.activeElement.click()");
    browser.settle();
    assert!(text(&mut browser, "#case pre").contains("panicked at src/kernel.rs"));
    browser.eval("document.getElementById('back').click()");
    browser.settle();
    assert_eq!(browser.eval("document.activeElement.textContent"), "† crash");
    assert_eq!(browser.eval("search.value"), "f16/range-negative");
    page.is_quiet(&browser);
}

pub(crate) fn browser_steps_through_failures_by_key() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&[CLEAN, FALLS]));
    browser.look(390, 844, true, "dark");
    browser.open(&page.url);
    let failing = listed(&mut browser);
    browser.press("j");
    assert_eq!(text(&mut browser, "#case h1"), failing[0]);
    browser.press("j");
    assert_eq!(text(&mut browser, "#case h1"), failing[1]);
    browser.press("k");
    assert_eq!(text(&mut browser, "#case h1"), failing[0]);
    browser.press("k");
    assert_eq!(text(&mut browser, "#case h1"), failing[0], "there is none before");
    browser.press("?");
    assert_eq!(browser.eval("document.getElementById('keys').open"), true);
    is_legible(&mut browser);
    browser.press("j");
    assert_eq!(
        text(&mut browser, "#case h1"),
        failing[0],
        "the list has the keys"
    );
    browser.click("#keys button");
    assert_eq!(browser.eval("document.getElementById('keys').open"), false);
    browser.press("/");
    assert_eq!(browser.eval("document.activeElement.id"), "search");
    assert_eq!(browser.eval("document.getElementById('case').hidden"), true);
    browser.type_text("j");
    assert_eq!(
        browser.eval("document.getElementById('case').hidden"),
        true,
        "a letter is typed"
    );
    page.is_quiet(&browser);
}

pub(crate) fn browser_shows_where_elements_stand_and_links_what_it_names() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&[FUSED, SWAPPED]));
    browser.look(390, 844, true, "light");
    browser.open(&format!("{}#case=ru8/tensorflow/f32/spec-example-1", page.url));
    let rows = "document.querySelectorAll('#at-1 .elements tbody tr').length";
    assert_eq!(browser.eval(rows), 24);
    // The toy's words of each group of four are in the opposite order.
    let stands = text(&mut browser, "#at-1 .elements tbody tr:nth-child(2)");
    assert!(stands.contains("2 (block 0, word 2)"), "{stands}");
    assert!(text(&mut browser, "#at-1 .under").contains("one element"));
    browser.hover("#at-1 [data-cell='5']");
    assert_eq!(text(&mut browser, "#at-1 .under"), "element 5 differs");
    assert!(text(&mut browser, "#at-1 .why").contains("20 of 24 elements, first missed at element 12"));
    is_legible(&mut browser);
    browser.click("#at-1 .why a[href='#clause.ru8.philox.round']");
    assert_eq!(browser.eval("document.getElementById('case').hidden"), true);
    let seen =
        "(() => { const r = document.getElementById('clause.ru8.philox.round').getBoundingClientRect();
        return r.top >= 0 && r.bottom <= innerHeight; })()";
    assert_eq!(browser.eval(seen), true, "the clause is in view");
    browser.open(&format!("{}#erratum.ru8.range.fused", page.url));
    assert_eq!(
        browser.eval("document.querySelector('#errata details').open"),
        true,
        "the folded row is open"
    );
    assert_eq!(
        browser.eval("document.querySelector('#errata .about a').href"),
        "https://example.org/random-uniform-8"
    );
    page.is_quiet(&browser);
}

pub(crate) fn browser_folds_the_matrix_and_aligns_its_lines() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&ALL));
    for (_, width, height, phone, scheme) in LOOKS {
        browser.look(width, height, phone, scheme);
        browser.open(&page.url);
        let aligned = "[...document.querySelectorAll('#grid tr')].every(row => {
            const edges = [...row.children].map(cell => cell.getBoundingClientRect().bottom);
            return edges.every(edge => edge === edges[0]) && Number.isInteger(row.getBoundingClientRect().height); })";
        assert_eq!(browser.eval(aligned), true, "rows are whole pixels high");
        assert!(!listed(&mut browser).is_empty());
        browser.click("#fold");
        assert_eq!(listed(&mut browser), Vec::<String>::new());
        assert_eq!(text(&mut browser, "#fold"), "Expand all");
        browser.click("#fold");
        assert!(!listed(&mut browser).is_empty());
        browser.click(".rates .zero a");
        let shown = text(&mut browser, "#shown");
        assert!(shown.contains("of 45 cases"), "{shown}");
        assert!(listed(&mut browser).iter().all(|id| !id.is_empty()));
        let unsupported = browser.eval("document.querySelector('#grid').innerText.includes('unsupported')");
        assert_eq!(unsupported, false, "not said in every cell");
        page.is_quiet(&browser);
    }
}

pub(crate) fn browser_prints_the_page() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&ALL));
    browser.look(1280, 900, false, "light");
    browser.open(&format!("{}#case=ru8/tensorflow/f32/spec-example-1", page.url));
    browser.call("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    let scrolls = "[...document.querySelectorAll('#case .tall')].some(e => e.scrollHeight > e.clientHeight)";
    assert_eq!(browser.eval(scrolls), false, "a printed table is whole");
    page.is_quiet(&browser);
}

pub(crate) fn browser_shows_a_clean_run() {
    let mut browser = Browser::start();
    let page = Page::of(&run(&[CLEAN]));
    for (name, width, height, phone, scheme) in LOOKS {
        browser.look(width, height, phone, scheme);
        browser.open(&page.url);
        is_legible(&mut browser);
        assert_eq!(text(&mut browser, "h1"), "It conforms in all 45 cases");
        assert_eq!(
            listed(&mut browser),
            Vec::<String>::new(),
            "what passes everywhere is folded"
        );
        browser.click(".group button");
        assert_eq!(
            browser.eval("document.activeElement.getAttribute('aria-expanded')"),
            "true"
        );
        browser.picture(&format!("{name}-clean.png"), true);
    }
    page.is_quiet(&browser);
}

pub(crate) fn browser_opens_twenty_thousand_findings() {
    opens_and_filters(&[CLEAN, FUSED, FALLS, SWAPPED], 124, "5,005");
}

pub(crate) fn browser_opens_twenty_thousand_cases() {
    opens_and_filters(&[FUSED], 499, "20,005");
}

/// Opens a large page and filters it; how long that takes is printed, by the clock of the page itself.
fn opens_and_filters(backends: &[&str], more: usize, cases: &str) {
    let mut browser = Browser::start();
    let events = events(backends, more);
    let run = Run::from_events(&[("events.jsonl", &log(&events))]).expect("a good log");
    let begun = Instant::now();
    let page = Page::of(&run);
    println!(
        "rendering {} findings and writing the page: {:?}",
        run.cases().len() * backends.len(),
        begun.elapsed()
    );
    browser.look(1280, 900, false, "light");
    browser.open(&page.url);
    let opened = browser.eval(
        "(() => { const t = performance.getEntriesByType('navigation')[0];
         return [t.domInteractive, t.domContentLoadedEventEnd, t.loadEventEnd].map(Math.round); })()",
    );
    println!("opening it: parsed, run and loaded after {opened} ms");
    let spent: Value = browser.eval(
        "new Promise(done => { const begun = performance.now(); search.value = 'range-wide'; search.dispatchEvent(new Event('input'));
         requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(Math.round(performance.now() - begun))))); })",
    );
    println!("filtering it: {spent} ms");
    assert!(listed(&mut browser).iter().all(|id| id.contains("range-wide")));
    let shown = text(&mut browser, "#shown");
    assert!(shown.contains(&format!("of {cases} cases")), "{shown}");
    page.is_quiet(&browser);
}

pub(crate) fn browser_shows_notes_on_the_page_of_their_case() {
    let mut browser = Browser::start();
    let page = Page::of(&noted());
    browser.look(1280, 900, false, "light");
    browser.open(&format!("{}#case={NOTED}", page.url));
    browser.settle();
    assert_eq!(
        browser.eval("document.querySelector('#case p.found').innerText"),
        format!("✓ pass on {CLEAN}")
    );
    assert_eq!(
        browser.eval("document.querySelector('#case p.note:last-of-type').innerText"),
        format!("{CLEAN}: {NOTE}")
    );
    page.is_quiet(&browser);
}

pub(crate) fn browser_marks_expected_failures() {
    let mut browser = Browser::start();
    let page = Page::of(&expecting(usize::MAX, &[]));
    browser.look(1280, 900, false, "light");
    browser.open(&page.url);
    browser.picture("expected.png", false);
    browser.click("[data-word=expected]");
    assert_eq!(
        browser.eval("document.querySelectorAll('#grid td.known').length"),
        28
    );
    assert_eq!(
        browser.eval("document.querySelector('#grid td.known').innerText"),
        "✗ fail expected"
    );
    browser.eval("document.querySelector('#grid td.known a').click()");
    browser.settle();
    assert_eq!(
        browser.eval("document.querySelector('#case p.known').innerText"),
        format!("Expected: {REASON}")
    );
    page.is_quiet(&browser);
}

pub(crate) fn browser_shows_hostile_text_as_text() {
    let mut browser = Browser::start();
    let page = Page::of(&wicked());
    browser.look(390, 844, true, "light");
    browser.open(&page.url);
    browser.picture("hostile.png", false);
    assert_eq!(browser.eval("document.title"), "Seedproof: 0 of 1 conform");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    browser.click(".causes a");
    browser.eval("document.querySelector('#grid td a').click()");
    browser.settle();
    assert_eq!(
        browser.eval("document.querySelectorAll('#case img, #case script').length"),
        0
    );
    assert_eq!(browser.eval("document.title.includes('owned')"), false);
    let overflow = browser.eval("document.documentElement.scrollWidth - screen.width");
    assert!(overflow.as_i64().expect("a width") <= 0, "{overflow}");
    browser.picture("hostile-case.png", false);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
