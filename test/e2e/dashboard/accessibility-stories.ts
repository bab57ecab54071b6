import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { everyCase } from '../../every-case.ts';
import type { DashboardWorld } from './dashboard-world.ts';

/** The views that axe looks at in the gate; `make robustness` has all of them. */
const ofGate: ReadonlySet<string> = new Set(['table', 'form', 'preview', 'keys', 'signIn']);

/** A finding of axe. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Stories of users with a keyboard alone, with other colours, with a small screen, with a screen reader. */
export function accessibilityStories(world: DashboardWorld): void {
  const focused = (script: string): Promise<string> =>
    world.page.evaluate<string>(`((element) => String(${script}))(document.activeElement)`);

  it('is used with the keyboard alone, from the kinds to a saved edit', async () => {
    const { page } = world;
    const { keyboard } = page;
    await world.maps().create('typed', { a: '1' });
    await world.show('#/?namespace=default');
    await page.getByText('Choose a kind.').waitFor();
    await keyboard.press('k');
    await keyboard.type('cm');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    assert.match(await focused('element.textContent'), /^configmaps/);
    await keyboard.press('Enter');
    await world.untilLive();
    await keyboard.press('/');
    await keyboard.type('typed');
    await world.untilRows('typed 1');
    await keyboard.press('Escape');
    assert.equal(await page.inputValue('#filter'), 'typed', 'a filter that is left stays visible');
    await keyboard.press('t');
    await keyboard.press('Enter');
    await world.untilYaml('name: typed');
    assert.equal(await focused('element.tagName + " " + element.textContent'), 'H1 typed', 'the focus follows');
    assert.equal(await page.title(), 'typed · configmaps · Dashboard');
    await keyboard.press('e');
    await page.locator('.editor textarea').waitFor();
    await keyboard.press('Control+Home');
    await keyboard.type('immutable: true\n');
    await keyboard.press('Control+Enter');
    await page.locator('.diff .added', { hasText: 'immutable' }).waitFor();
    await keyboard.press('Control+Enter');
    await world.untilYaml('immutable: true');
    assert.equal(await focused('element.id'), 'edit');
    await keyboard.press('b');
    await world.untilLive();
    assert.equal(await focused('element.className'), 'rows');
    await page.focus('#kind-filter');
    await keyboard.press('Control+a');
    await keyboard.type('clusterroles');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'clusterroles', exact: true }).waitFor();
    assert.equal(await page.inputValue('#kind-filter'), '', 'all kinds are there again');
    assert.equal(await focused('element.className'), 'rows');
  });

  it('shows the focus at each place that the keyboard reaches, and reaches all of them', async () => {
    const { page } = world;
    const seen = new Set<string>();
    const wanted = await page.evaluate<number>(numberPlaces);
    await page.evaluate('document.activeElement.blur()');
    for (let step = 0; step < wanted + 5; step++) {
      await page.keyboard.press('Tab');
      const place = await focused(
        '[element.dataset.place, getComputedStyle(element).outlineStyle, element.matches(":focus-visible")]',
      );
      const [id = '', outline, isVisible] = place.split(',');
      if (id === '') continue;
      assert.ok(
        outline !== 'none' && isVisible === 'true',
        `no focus is seen at ${await focused('element.outerHTML')}`,
      );
      seen.add(id);
    }
    assert.equal(seen.size, wanted, 'places');
  });

  it('keeps the focus in a dialog, and gives it back', async () => {
    const { page } = world;
    await page.focus('#filter');
    await page.keyboard.press('Escape');
    await page.focus('.rows');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Tab');
      assert.equal(await focused('element === document.body || element.closest("dialog") !== null'), 'true');
    }
    const address = page.url();
    for (const key of ['b', 'c', 'm', '?']) await page.keyboard.press(key);
    assert.equal(page.url(), address, 'keys of the page wait for the end of the dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await focused('element.className'), 'rows');
  });

  it('has no finding of axe in light, in dark and on 400 pixels', async () => {
    const { page } = world;
    const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    const findings: string[] = [];
    const check = async (view: string, ...rules: readonly string[]): Promise<void> => {
      await page.evaluate(`if (!globalThis.axe) { ${axe} }`);
      const only = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
      const options = JSON.stringify({ resultTypes: ['violations'], ...only });
      const found = await page.evaluate<readonly Violation[]>(
        `axe.run(document, ${options}).then(({ violations }) => violations)`,
      );
      const texts = found.map(
        ({ id, nodes }) =>
          `${view}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join()} ${failureSummary}`).join('; ')}`,
      );
      findings.push(...texts);
    };
    const marked = '#/kind/-/configmaps/default/marked';
    const views: Readonly<Record<string, () => Promise<void>>> = {
      table: async () => {
        await world.show('#/kind/-/configmaps?namespace=default');
        await world.untilLive();
        await page.getByRole('cell', { name: 'marked' }).waitFor();
      },
      menu: () => page.click('#namespaces summary').then(() => page.getByLabel('blue', { exact: true }).waitFor()),
      history: async () => {
        await page.getByTestId('numbers').click();
        assert.equal(await page.locator('#namespaces[open]').count(), 0, 'a click elsewhere closes the menu');
        await world.show(`${marked}/history`);
        await page.locator('.history .diff').waitFor();
      },
      managers: async () => {
        await world.show(`${marked}/managers`);
        await page.locator('.manager').first().waitFor();
      },
      form: async () => {
        await world.show('#/kind/apps/deployments/default/web/form');
        await page.click('#edit');
        await page.locator('.form select').first().waitFor();
        await page.locator('.more summary').first().click();
      },
      create: async () => {
        await world.show('#/create/apps/deployments?namespace=default');
        await page.locator('.editor textarea').waitFor();
      },
      owners: async () => {
        await world.show('#/kind/apps/replicasets/default/web-1/owners');
        await page.locator('.owners li li li').waitFor();
      },
      access: async () => {
        await world.show('#/access/-/configmaps?namespace=default');
        await page.locator('.wide-table').waitFor();
        await page.getByText('Yes: you may get configmaps').waitFor();
      },
      metrics: async () => {
        await world.show('#/metrics');
        await page.locator('.plot').nth(10).waitFor();
      },
      preview: async () => {
        await world.show(marked);
        await page.click('#edit');
        await world.edit((text) => text.replace('\ndata:', '\ndata:\n  b: "1"'));
        await world.press('Preview');
        await page.locator('.diff .added').first().waitFor();
      },
      refusal: async () => {
        await world.press('Back to the text');
        await world.edit((text) => text.replace('\ndata:', '\ndata:\n  a b: "1"'));
        await world.press('Preview');
        await page.locator('.refusal li').first().waitFor();
      },
      keys: async () => {
        await page.locator('.editor').getByRole('button', { name: 'Cancel' }).click();
        await world.press('Discard changes');
        // Keys of the page wait for the end of the question, and are text in the editor.
        await page.locator('dialog[open], .editor').first().waitFor({ state: 'detached' });
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
      signIn: async () => {
        await page.keyboard.press('Escape');
        await world.press('Sign out');
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      },
    };
    for (const [name, open] of Object.entries(views).filter(([view]) => everyCase || ofGate.has(view))) {
      await page.emulateMedia({ colorScheme: 'light' });
      await open();
      await check(name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await check(`${name} in dark`, 'color-contrast', 'link-in-text-block');
      await page.setViewportSize({ width: 400, height: 700 });
      await check(`${name} on 400 pixels`, 'color-contrast', 'target-size', 'scrollable-region-focusable');
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      if ((await page.evaluate(overflow)) !== 0) findings.push(`${name} on 400 pixels scrolls sideways`);
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    assert.deepEqual(findings, []);
  });
}

/** Numbers the places that a user can act on, as far as they are seen; those of rows are reached through the rows. */
const numberPlaces = `(() => {
  const places = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((element) => element.checkVisibility() && !element.closest('.rows tbody'));
  places.forEach((element, index) => (element.dataset.place = String(index)));
  return places.length;
})()`;
