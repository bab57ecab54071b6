import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/start-server.ts';
import { startCl, writeConfig } from '../../http/cl/cl-runner.ts';
import { annToken, type DashboardWorld } from './dashboard-world.ts';

/** Stories of the ways to sign in, and of other servers. */
export function signInStories(world: DashboardWorld): void {
  it('signs in with a token, which is in no address, and refuses a wrong one', async () => {
    const { page, server } = world;
    await page.goto(`${server.url}/dashboard`);
    await world.signIn('wrong');
    await page.getByText('Unauthorized').waitFor();
    await world.signIn(annToken);
    await page.getByRole('link', { name: /^configmaps/ }).click();
    await world.untilLive();
    assert.ok(!page.url().includes(annToken));
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, document.cookie, history.state, document.referrer])',
    );
    assert.equal(kept, '[{},"",null,""]');
  });
}

/** Stories of other ways to sign in, each in a page of its own. */
export function otherSignInStories(world: DashboardWorld): void {
  it('signs in with a client certificate of the browser, without asking', async () => {
    const { server, browser } = world;
    const context = await browser.browser.newContext({
      ignoreHTTPSErrors: true,
      clientCertificates: [{ origin: server.url, certPath: world.file('ann.crt'), keyPath: world.file('ann.key') }],
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard#/kind/-/configmaps/default/edited`);
    await page.locator('pre.yaml', { hasText: 'a: mine' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  it('opens the link of `cl dashboard` once, follows more namespaces than it has connections, and signs out', async () => {
    const { server, page } = world;
    const directory = world.file('.');
    await writeConfig(directory, server.clientConfig);
    const started = startCl(['dashboard'], { directory });
    const [, link = '', origin = ''] = await started.until(/works once: ((http:\S+)\/open\S+)\n/);
    await page.goto(link);
    await page.getByRole('link', { name: /^configmaps/ }).waitFor();
    assert.equal(page.url(), `${origin}/dashboard`);
    const namespaces = ['default', 'blue', 'green', 'cl-system', 'cl-public', 'none'];
    await page.goto(
      `${origin}/dashboard#/kind/-/configmaps?${namespaces.map((name) => `namespace=${name}`).join('&')}`,
    );
    await world.untilLive();
    await page.fill('#filter', 'node-10');
    await world.untilRows('blue node-10');
    await page.locator('.rows a').click();
    await world.untilYaml('node-10');
    await world.press('Sign out');
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await page.reload();
    await page.getByText('Open the link that the command printed.').waitFor();
    await started.interrupt();
  });

  it('shows a server with the other set of identifiers, and logs as text', async () => {
    const { page } = world;
    await using other = await startServer({ identifiers: 'kubernetes', enableDashboard: true, nodes: 1 });
    await page.goto(`${other.url}/dashboard`);
    await world.signIn(other.token);
    await page.getByRole('link', { name: /^deployments/ }).click();
    await world.untilLive();
    assert.match(page.url(), /#\/kind\/apps\/deployments$/);
    await page.locator('.rows', { hasText: 'No objects.' }).waitFor();
    const made = await page.evaluate(
      async ({ token, body }) => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        return (await fetch('/api/v1/namespaces/default/pods', { method: 'POST', headers, body })).status;
      },
      {
        token: other.token,
        body: JSON.stringify({
          metadata: {
            name: 'web',
            annotations: {
              'stand-in.cluster.io/logs.main': 'first\n<img src=x onerror=hit()>',
              'kubectl.kubernetes.io/default-container': 'main',
            },
          },
          spec: { containers: ['side', 'main'].map((name) => ({ name, image: 'i' })) },
        }),
      },
    );
    assert.equal(made, 201);
    await world.show('#/kind/-/pods');
    await world.untilRows('default web');
    await page.setViewportSize({ width: 400, height: 700 });
    const { x = 400, width = 0 } = (await page.getByRole('cell', { name: 'Running' }).boundingBox()) ?? {};
    assert.ok(x + width <= 400, 'the status of a pod is seen on a small screen');
    await world.show('#/kind/-/pods/default/web/logs');
    await page.locator('.log', { hasText: 'first\n<img src=x onerror=hit()>' }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
  });
}
