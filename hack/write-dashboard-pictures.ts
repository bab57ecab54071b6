// Writes the pictures of docs/dashboard.md: starts a control plane with stand-in nodes, and takes what a browser shows of it. They
// are taken again by hand after the page has changed: `node dist/hack/write-dashboard-pictures.js`.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../src/client/client.ts';
import { startServer } from '../src/testing/start-server.ts';
import { root } from './source-files.ts';

/** The largest picture in bytes: every clone has them. */
const largestBytes = 100_000;

const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1.0' }] } },
  },
};

interface DashboardPicture {
  readonly file: string;
  readonly fragment: string;
  readonly colours: 'light' | 'dark';
  /** Waits until the page shows what the picture is about. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const pictures: readonly DashboardPicture[] = [
  {
    file: 'docs/dashboard-owners.png',
    fragment: '#/kind/apps/deployments/default/web/owners',
    colours: 'light',
    ready: (page) => page.locator('.owners li li li', { hasText: 'Running' }).nth(2).waitFor(),
  },
  {
    file: 'docs/dashboard-metrics.png',
    fragment: '#/metrics',
    colours: 'dark',
    // Some reads, so that the plots have lines.
    ready: (page) => page.waitForTimeout(30_000),
  },
];

await using server = await startServer({ enableDashboard: true, controllers: true, nodes: 3, store: 'etcd' });
const client = createClient(server.connection);
const browser = await chromium.launch({
  executablePath: execFileSync('hack/chromium.sh', { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const deployments = client.resource({ group: 'apps', version: 'v1', resource: 'deployments' });
  await deployments.create(deployment, { namespace: 'default' });
  const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1000, height: 560 } });
  await page.goto(`${server.url}/dashboard`);
  await page.fill('#token', server.token);
  await page.click('button.primary');
  for (const { file, fragment, colours, ready } of pictures) {
    await page.emulateMedia({ colorScheme: colours });
    await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await ready(page);
    await page.evaluate('document.activeElement.blur()');
    const picture = await page.screenshot();
    if (picture.length > largestBytes)
      throw new Error(`${file} has ${picture.length} bytes, more than ${largestBytes}`);
    writeFileSync(path.join(root, file), picture);
  }
} finally {
  await browser.close();
  await client.close();
}
