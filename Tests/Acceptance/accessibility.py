"""What every page owes its readers, as scripts that run in it; each answers with a list of what is wrong.

They are run by `found`, and `overflow` measures: both wait for the style sheets of a page that a click has led to, without which nothing has
its place yet.
"""

#: Text whose contrast is below the level AA of WCAG 2.2 (1.4.3), with its ratio.
CONTRAST = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, below) => Object.fromEntries(['r', 'g', 'b'].map((c) => [c, top[c] * top.a + below[c] * (1 - top.a)]));
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (node) => {
    const own = parse(getComputedStyle(node).backgroundColor);
    return own.a === 1 ? own : over(own, node.parentElement ? ground(node.parentElement) : { r: 255, g: 255, b: 255 });
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const style = getComputedStyle(node);
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest('.quiet, :disabled')) continue;
    const below = ground(node);
    const [high, low] = [light(over(parse(style.color), below)), light(below)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) poor.push(`${ratio.toFixed(2)} ${walker.currentNode.data.trim()}`);
  }
  return poor;
}"""

#: Controls and frames without a name, images without an alternative, ids given twice, headings that skip a level.
UNNAMED = """() => {
  const byID = (ids) => ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const name = (node) => node.ariaLabel || byID(node.getAttribute('aria-labelledby') ?? '') || node.alt || node.title
    || [...(node.labels ?? [])].map((label) => label.textContent).join(' ') || (node.matches('input, select') ? '' : node.textContent);
  const controls = [...document.querySelectorAll('a, button, input:not([type=hidden]), select, iframe, summary, nav, dialog, section')];
  const nameless = controls.filter((node) => !name(node).trim()).map((node) => node.outerHTML.slice(0, 120));
  const images = [...document.querySelectorAll('img:not([alt])')].map((node) => node.outerHTML);
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const levels = [...document.querySelectorAll('main :is(h1, h2, h3, h4)')].filter((h) => h.checkVisibility()).map((h) => Number(h.tagName[1]));
  const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
  const titles = document.querySelectorAll('h1').length === 1 && document.documentElement.lang === 'en' ? [] : ['one h1, a language'];
  return [...nameless, ...images, ...twice, ...skipped, ...titles];
}"""

#: Targets below 24 by 24 pixels: WCAG 2.2, 2.5.8. Links within a text are exempt.
SMALL = """() => [...document.querySelectorAll('button, input:not([type=hidden]), select')]
  .map((node) => [node.outerHTML.slice(0, 120), node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24).map(([text]) => text)"""

#: Controls that cannot have the focus, or do not show it: WCAG 2.2, 2.4.7.
UNSEEN_FOCUS = """() => [...document.querySelectorAll('a, button, input:not([type=hidden])')].filter((node) => {
  if (!node.checkVisibility()) return false;
  node.focus({ focusVisible: true });
  return document.activeElement !== node || getComputedStyle(node).outlineStyle === 'none';
}).map((node) => node.outerHTML.slice(0, 120))"""


def found(page, script):
    """What one of the scripts above finds in a page, once the page has loaded."""
    page.wait_for_load_state()
    return page.evaluate(script)


def overflow(page):
    """By how many pixels a page is wider than its window, once the page has loaded."""
    page.wait_for_load_state()
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def too_wide(page):
    """What stands beyond the right edge of the window: an element and its text, of each."""
    return page.evaluate("""() => {
      const width = document.documentElement.clientWidth;
      return [...document.body.querySelectorAll("*")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > width + 1)
        .map((one) => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 60)}`);
    }""")
