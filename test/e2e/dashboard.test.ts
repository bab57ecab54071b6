import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createClient } from '../../src/client/client.ts';
import { startServer, type TestServer } from '../../src/testing/start-server.ts';

const kind = { group: '', version: 'v1', resource: 'configmaps' };
const largestBytes = 200 * 1024;

describe('the dashboard in Chromium', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  before(async () => {
    const executablePath = execFileSync('hack/chromium.sh', { encoding: 'utf8' }).trim();
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
    server = await startServer({ store: 'memory', enableDashboard: true });
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage({ ignoreHTTPSErrors: true });
    page.on('pageerror', ({ message }) => errors.push(message));
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('is small, and lets nothing else into the page', async () => {
    const answer = await page.goto(`${server.url}/dashboard`);
    const policy = (await answer?.headerValue('content-security-policy')) ?? '';
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'.*trusted-types 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(await answer?.headerValue('referrer-policy'), 'no-referrer');
    const script = await page.request.get(`${server.url}/dashboard/dashboard.js`);
    assert.equal(script.headers()['content-encoding'], 'br');
    assert.ok(Number(script.headers()['content-length']) < largestBytes);
    const { etag = '' } = script.headers();
    const again = await page.request.get(`${server.url}/dashboard/dashboard.js`, {
      headers: { 'If-None-Match': etag },
    });
    assert.equal(again.status(), 304);
  });

  it('refuses a wrong token, and keeps a right one out of the address', async () => {
    await page.fill('#token', 'wrong');
    await page.click('button.primary');
    await page.getByText('Unauthorized').waitFor();
    await page.fill('#token', server.token);
    await page.click('button.primary');
    await page.getByRole('link', { name: /^configmaps/ }).click();
    await page.locator('.state.live').waitFor();
    assert.ok(!page.url().includes(server.token));
    assert.equal(await page.evaluate('localStorage.length'), 0);
  });

  it('follows a table by watch, and text of objects is no HTML', async () => {
    const client = createClient(server.connection);
    const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '<img src=x>' } };
    await client.resource(kind).create(made, { namespace: 'default' });
    await page.locator('td', { hasText: 'settings' }).click();
    await page.locator('pre.yaml', { hasText: '<img src=x>' }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await client.close();
  });

  it('tries an edit on the server, shows the difference, and merges it after a conflict', async () => {
    await page.click('#edit');
    const area = page.locator('textarea');
    await area.fill((await area.inputValue()).replace('<img src=x>', 'mine'));
    const client = createClient(server.connection);
    const objects = client.resource(kind);
    const patch = { data: { b: 'theirs' } };
    await objects.patch('settings', patch, { namespace: 'default', type: 'merge' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.conflict .added', { hasText: 'theirs' }).waitFor();
    await page.getByRole('button', { name: 'Make my changes in the newest' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.diff .added', { hasText: 'mine' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('pre.yaml', { hasText: 'mine' }).waitFor();
    const saved = await objects.get('settings', { namespace: 'default' });
    assert.deepEqual((saved as unknown as { data: unknown }).data, { a: 'mine', b: 'theirs' });
    await client.close();
    assert.deepEqual(errors, []);
  });
});
