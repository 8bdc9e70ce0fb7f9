"""Check that no page of the built site is wider than a phone's screen.

    python -m docs.widths SITE

In: the folder that `sphinx-build` has written. Out: exit code 1, and the elements that
stick out, if any. Wide tables and code scroll in boxes of their own, which is right.
Without Chromium and its driver nothing is checked.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

WIDTH = 400  # pixels
STICKING_OUT = """
const width = arguments[0];
const ways = ['auto', 'scroll', 'hidden'];
const scrolls = e => ways.includes(getComputedStyle(e).overflowX);
const inside = e => e && e !== document.body && (scrolls(e) || inside(e.parentElement));
return [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 0)
  .filter(e => e.getBoundingClientRect().right > width + 1)
  .filter(e => e.getBoundingClientRect().left < width)
  .filter(e => !inside(e.parentElement)).slice(0, 3)
  .map(e => `${e.tagName.toLowerCase()}.${e.className}: ${e.textContent.slice(0, 40)}`);
"""


def main() -> int:
    """Check all pages; 0 if none is too wide."""
    site = Path(sys.argv[1]).resolve()
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        print("no chromium and chromedriver: widths are not checked")
        return 0
    pages = sorted(site.rglob("*.html"))
    browser = phone(chromium, driver)
    try:
        wide = {page: found for page in pages if (found := sticking_out(browser, page))}
    finally:
        browser.quit()
    for page, elements in wide.items():
        print(
            f"{page.relative_to(site)} is wider than {WIDTH} px:", *elements, sep="\n  "
        )
    print(f"{len(pages)} pages, {len(wide)} wider than {WIDTH} px")
    return int(bool(wide))


def phone(chromium: str, driver: str) -> Any:
    """Return a browser with a narrow screen."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in ("--headless", "--no-sandbox", "--disable-gpu"):
        options.add_argument(option)
    service = webdriver.ChromeService(executable_path=driver)
    browser = webdriver.Chrome(options=options, service=service)
    screen = {"width": WIDTH, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    return browser


def sticking_out(browser: Any, page: Path) -> list[str]:
    """Return the elements of a page that stick out of the screen."""
    browser.get(page.as_uri())
    found: list[str] = browser.execute_script(STICKING_OUT, WIDTH)
    return found


if __name__ == "__main__":
    sys.exit(main())
