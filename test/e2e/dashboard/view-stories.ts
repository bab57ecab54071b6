import assert from 'node:assert/strict';
import { annToken, benToken, type DashboardWorld } from './dashboard-world.ts';

const labels = { app: 'web' };
const workload = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
};

/** Stories of forms, of new objects from examples, of owners, rights and metrics. */
export function viewStories(world: DashboardWorld): void {
  const field = (path: string) => world.page.locator(`[id="field/${path}"]`);

  it('edits fields in a form with their descriptions, and shows refusals at the field', async () => {
    const { page } = world;
    await world.make({ group: 'apps', version: 'v1', resource: 'deployments' }, 'default', {
      metadata: { name: 'web' },
      spec: { replicas: 1, ...workload },
    });
    await world.show('#/kind/apps/deployments/default/web/form');
    await page.getByText('How many pods should run.').waitFor();
    assert.equal(await page.locator('.form input, .form select').count(), 0, 'it is only read');
    await page.click('#edit');
    await field('spec/replicas').fill('many');
    await page.getByText('This is no whole number.').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.equal(await page.locator('.diff').count(), 0, 'it is not sent');
    await field('spec/replicas').fill('-1');
    await page.keyboard.press('Control+Enter');
    await page
      .locator('.field', { has: field('spec/replicas') })
      .getByText('must be greater than')
      .waitFor();
    assert.equal(await field('spec/replicas').getAttribute('aria-invalid'), 'true');
    await field('spec/replicas').fill('4');
    await field('spec/strategy/type').selectOption('Recreate');
    await page.locator('[id="field/spec/strategy/rollingUpdate"]').click();
    await page.getByRole('button', { name: 'Remove rollingUpdate' }).click();
    await field('metadata/more').click();
    await page.getByRole('button', { name: 'labels', exact: true }).click();
    await page.getByLabel('New key of labels').fill('team.example.com/name');
    await page.keyboard.press('Enter');
    await field('metadata/labels/team.example.com/name').fill('a');
    await page.keyboard.press('Control+Enter');
    for (const text of ['replicas: 4', 'type: Recreate', 'team.example.com/name: a']) {
      await page.locator('.diff .added', { hasText: text }).waitFor();
    }
    await world.press('Save');
    await page.locator('.field', { hasText: 'replicas' }).getByText('4', { exact: true }).first().waitFor();
  });

  it('leaves the text of free fields as it is written, and large integers exact', async () => {
    const { page } = world;
    await world.make({ group: 'apps', version: 'v1', resource: 'controllerrevisions' }, 'default', {
      metadata: { name: 'free' },
      data: {},
      revision: 1,
    });
    await world.show('#/kind/apps/controllerrevisions/default/free/form');
    await page.click('#edit');
    await field('data').fill('');
    await field('data').pressSequentially('a:  # note');
    assert.equal(await field('data').inputValue(), 'a:  # note');
    // The server lets nobody change it.
    await field('data').fill('{}');
    await field('revision').fill('9007199254740993');
    await page.keyboard.press('Control+Enter');
    await world.press('Save');
    await page.locator('.field', { hasText: 'revision' }).getByText('9007199254740993').first().waitFor();
  });

  it('creates a kind from an example, and an object of it from the fields that it requires', async () => {
    const { page } = world;
    await world.show('#/create/apiextensions.cl.io/customresourcedefinitions?namespace=default');
    await world.press('Preview');
    await page.locator('.diff .added', { hasText: 'openAPIV3Schema' }).waitFor();
    await world.press('Create');
    await world.untilYaml('widgets.example.com');
    await page.reload();
    await world.show('#/create/example.com/widgets?namespace=default');
    await world.press('As form');
    await page.getByText('How many parts the widget has.').waitFor();
    assert.equal(await field('spec/size').inputValue(), '1');
    await field('spec/more').click();
    await page.getByRole('button', { name: 'colour', exact: true }).click();
    await field('spec/colour').selectOption('green');
    await page.keyboard.press('Control+Enter');
    await page.locator('.diff .added', { hasText: 'colour: green' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await world.untilYaml('name: my-widget');
  });

  it('shows owners and dependents as a graph, and as a list of links', async () => {
    const { page } = world;
    const owner = async (path: string, kind: string): Promise<object> => {
      const answer = await page.request.get(`${world.server.url}${path}`, {
        headers: { authorization: `Bearer ${annToken}` },
      });
      const { metadata } = (await answer.json()) as { metadata: { name: string; uid: string } };
      return { apiVersion: 'apps/v1', kind, name: metadata.name, uid: metadata.uid };
    };
    const sets = { group: 'apps', version: 'v1', resource: 'replicasets' };
    const ownerReferences = [await owner('/apis/apps/v1/namespaces/default/deployments/web', 'Deployment')];
    await world.make(sets, 'default', { metadata: { name: 'web-1', ownerReferences }, spec: workload });
    await world.maps().create(
      'of-web-1',
      {},
      {
        ownerReferences: [await owner('/apis/apps/v1/namespaces/default/replicasets/web-1', 'ReplicaSet')],
      },
    );
    await world.show('#/kind/apps/replicasets/default/web-1/owners');
    await page.locator('.owners li li li', { hasText: 'ConfigMap of-web-1' }).waitFor();
    assert.deepEqual(await page.locator('.graph .node-name').allTextContents(), ['of-web-1', 'web-1', 'web']);
    assert.equal(await page.locator('.graph .edge').count(), 2);
    await page.getByRole('link', { name: 'Deployment web' }).click();
    await page.locator('.graph .chosen', { hasText: 'web' }).waitFor();
    assert.match(page.url(), /deployments\/default\/web\/owners$/);
  });

  it('shows who can do something, by which rule, and what the server decides for a user', async () => {
    const { page } = world;
    await world.show('#/access/-/configmaps?namespace=default');
    const row = page.locator('tr', { hasText: 'ben' });
    await row.getByRole('link', { name: 'ClusterRole view' }).waitFor();
    assert.match(await row.innerText(), /get, list, watch on .*configmaps/);
    await page.getByText('Yes: you may get configmaps').waitFor();
    await page.getByLabel('Verb').selectOption('delete');
    await page.getByLabel('User', { exact: true }).fill('ben');
    await page.keyboard.press('Enter');
    await page.getByText('No: ben may not delete configmaps in the namespace default.').waitFor();
    await page.locator('.reasons', { hasText: 'RBAC: no opinion' }).waitFor();
    assert.equal(await row.count(), 0);
  });

  it('plots metrics with their numbers, and says which right reading them needs', async () => {
    const { page } = world;
    await world.show('#/metrics');
    const plot = (title: string) =>
      page.locator('.plot', { has: page.getByRole('heading', { name: title, exact: true }) });
    await plot('Objects in the cache')
      .getByRole('row', { name: /clusterroles/ })
      .waitFor();
    await world.maps().dataOf('of-web-1');
    // Rates need a second read, which a page that is shown again makes.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    const requests = plot('Requests').getByRole('row', { name: /^GET / });
    await requests.waitFor();
    assert.match(await requests.innerText(), /[\d.]+\/s/);
    assert.match((await plot('Requests').locator('path.line').first().getAttribute('d')) ?? '', /^M[\d.]+,[\d.]+/);
    await plot('Requests to etcd').getByRole('row').nth(1).waitFor();
    await world.press('Sign out');
    await world.signIn(benToken);
    await page.getByText('Reading metrics needs the verb get on the path /metrics.').waitFor();
    await world.press('Sign out');
    await world.signIn(annToken);
    await plot('Open watches').waitFor();
  });
}
