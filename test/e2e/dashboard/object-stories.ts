import assert from 'node:assert/strict';
import type { Request } from 'playwright-core';
import { annToken, benToken, type DashboardWorld, roleKind } from './dashboard-world.ts';

/** Stories of one object: live, edited by two, refused, and with text of others. */
export function objectStories(world: DashboardWorld): void {
  it('follows an open object and its history, which is read once, and says that it was deleted', async () => {
    const { page } = world;
    await world.maps().create('opened', { a: '1' });
    await world.show('#/kind/-/configmaps/default/opened/history');
    await page.getByRole('button', { name: /created/ }).waitFor();
    const requests: string[] = [];
    const note = (request: Request): void => void requests.push(request.url());
    page.on('request', note);
    await world.maps().set('opened', { b: '2' });
    await world.maps().set('opened', { c: '3' });
    await page.locator('.history li:nth-child(3)').waitFor();
    assert.match(await page.locator('.history ol button').first().innerText(), /changed[^]*data\.c/);
    await page.locator('.diff .added', { hasText: 'c: "3"' }).waitFor();
    page.off('request', note);
    assert.deepEqual(requests, [], 'the watch brings the changes');
    await world.show('#/kind/-/configmaps/default/opened');
    await world.untilYaml('c: "3"');
    await world.maps().set('opened', { d: '4' });
    await world.untilYaml('d: "4"');
    await world.maps().delete('opened');
    await page.getByRole('alert').filter({ hasText: 'was deleted' }).waitFor();
    assert.equal(await page.locator('#edit').count(), 0);
    await world.maps().create('opened', { again: '1' });
    await world.untilYaml('again: "1"');
  });

  it('tells an editor of other writers, shows both versions of a conflict, and merges them', async () => {
    const { page } = world;
    await world.maps().create('edited', { a: '1' });
    await world.show('#/kind/-/configmaps/default/edited');
    await page.click('#edit');
    await world.edit((text) => text.replace('a: "1"', 'a: mine'));
    // What was written survives that the object is read again.
    await page.getByRole('button', { name: 'Reload' }).click();
    await world.maps().set('edited', { b: 'theirs' });
    await page.getByText('The object changed since you began').waitFor();
    await world.press('Preview');
    await page.getByLabel('Their changes').locator('.added', { hasText: 'theirs' }).waitFor();
    await page.getByLabel('Your changes').locator('.added', { hasText: 'mine' }).waitFor();
    assert.match(await page.locator('.refusal').innerText(), /the object has been modified/);
    await world.press('Make my changes in the newest');
    await world.press('Preview');
    await page.locator('.diff .added', { hasText: 'mine' }).waitFor();
    await world.press('Save');
    await world.untilYaml('a: mine');
    assert.deepEqual(await world.maps().dataOf('edited'), { a: 'mine', b: 'theirs' });
    assert.equal(await page.evaluate('document.activeElement.id'), 'edit', 'the focus is given back');
  });

  it('shows what the server refuses by the field, and its line', async () => {
    const { page } = world;
    await page.click('#edit');
    await world.edit((text) =>
      text.replace('a: mine', 'a b: mine').replace('metadata:', 'metadata:\n  labels:\n    x: "-"'),
    );
    await world.press('Preview');
    const refusals = page.locator('.refusal li');
    await refusals.nth(1).waitFor();
    const texts = (await refusals.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const [ofData = '', ofLabels = ''] = texts.toSorted();
    assert.match(ofData, /^data\[a b\]: Invalid value: "a b": .* line \d+$/);
    assert.match(ofLabels, /^metadata\.labels: Invalid value: "-": .* line \d+$/);
    await refusals.filter({ hasText: 'data[a b]' }).getByRole('button').click();
    const selected = await page.evaluate(
      '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
    );
    assert.equal(selected, '  a b: mine');
  });

  it('asks before a draft is lost: by another page, by Escape, and by leaving the dashboard', async () => {
    const { page } = world;
    const area = page.locator('.editor textarea');
    const question = page.getByRole('dialog');
    const isAsked = () => page.evaluate('!globalThis.dispatchEvent(new Event("beforeunload", { cancelable: true }))');
    const address = page.url();
    for (const lose of [() => world.show('#/kind/-/configmaps/default/edited/events'), () => area.press('Escape')]) {
      await lose();
      await question.getByText('Discard your changes?').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      assert.match(await area.inputValue(), /a b: mine/);
      assert.equal(page.url(), address);
    }
    assert.equal(await isAsked(), true);
    await page.getByRole('link', { name: 'events', exact: true }).click();
    await world.press('Discard changes');
    await page.locator('.object-page .nothing, .object-page td.wide').first().waitFor();
    assert.equal(await isAsked(), false);
    await world.show('#/kind/-/configmaps/default/edited');
    await world.untilYaml('a: mine');
  });

  it('shows a user who may only read why a write, or a list, is refused', async () => {
    const { page } = world;
    await world.press('Sign out');
    await world.signIn(benToken);
    await page.click('#edit');
    await world.press('Preview');
    await page.locator('.refusal', { hasText: 'configmaps "edited" is forbidden: User "ben" cannot update' }).waitFor();
    await world.press('Cancel');
    await world.show('#/kind/-/secrets');
    await page.locator('.state.refused', { hasText: 'secrets is forbidden: User "ben" cannot list' }).waitFor();
    await world.press('Sign out');
    await world.signIn(annToken);
    await world.untilLive();
  });

  it('takes text of objects for text, wherever it shows it', async () => {
    const { page } = world;
    const text = '<img src=x onerror=hit()><script>hit()</script>';
    await world.make(roleKind, '', { metadata: { name: '<img src=x onerror=hit()>' } });
    await world.maps().create('marked', { a: text }, { annotations: { note: text } });
    await world.make({ group: '', version: 'v1', resource: 'events' }, 'default', {
      metadata: { name: 'marked.1' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'marked' },
      reason: text,
      message: text,
      type: 'Warning',
    });
    await world.show(`#/kind/${roleKind.group}/clusterroles`);
    await page.fill('#filter', 'onerror');
    await page.locator('.rows a', { hasText: '<img' }).click();
    await world.untilYaml('<img src=x');
    const marked = '#/kind/-/configmaps/default/marked';
    for (const [fragment, shown] of [
      ['#/', '.start-page td:has-text("<script>")'],
      ['#/kind/-/events?namespace=default', '.rows td:has-text("<script>")'],
      [marked, 'pre.yaml:has-text("<script>")'],
      [`${marked}/events`, '.object-page td.wide, .object-page .nothing'],
      [`${marked}/history`, '.diff:has-text("<script>")'],
      [`${marked}/managers`, '.manager'],
      [`#/kind/-/configmaps/default/${encodeURIComponent(text)}`, 'h1:has-text("<script>")'],
      [`#/kind/${encodeURIComponent(text)}/x`, '.nothing:has-text("<script>")'],
    ] as const) {
      await world.show(fragment);
      await page.locator(shown).first().waitFor();
    }
    assert.equal(await page.locator('img, script:not([src]), iframe, object, embed').count(), 0);
  });
}
