import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** A browser with one page, and what went wrong in it. */
export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors that nothing caught, and violations of the policy of the page, so far. */
  readonly faults: readonly string[];
}

/** Settings that save time: nothing is drawn on a screen or fetched in the background. */
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];

/** Reports each violation of the policy of a page to the test. */
const reporter = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Starts a headless Chromium. */
export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = execFileSync('hack/chromium.sh', { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  // A busy machine may take long.
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  await page.addInitScript(reporter);
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (/^policy: |Content Security Policy|TrustedHTML/.test(message.text())) faults.push(message.text());
  });
  return { browser, context, page, faults, [Symbol.asyncDispose]: () => browser.close() };
}
