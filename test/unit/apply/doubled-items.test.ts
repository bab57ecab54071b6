import assert from 'node:assert/strict';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { story, type Story } from './story.ts';

const template = (): Story => story({ v1: { schema: schemaOf('api.core.v1.PodTemplate') } });
const containers = (...items: readonly string[]): string => `template: {spec: {containers: [${items.join(', ')}]}}`;
const [one, two, other] = ['{name: a, image: "1"}', '{name: a, image: "2", tty: true}', '{name: b, image: "3"}'];
const place = '.template.spec.containers';
const partsOf = (name: string): string[] => [`${place}[name="${name}"].image`, `${place}[name="${name}"].name`];
const images = (s: Story): unknown[] => {
  const { spec } = (s.object as { template: { spec: { containers: { name: string; image: string }[] } } }).template;
  return spec.containers.map(({ name, image }) => `${name}:${image}`);
};

describe('items that an update has doubled', () => {
  it('are owned as one, without their parts', () => {
    const s = template();
    s.update('upd', containers(one, two));
    const owned = s.owners['upd (Update)']?.filter((path) => path.startsWith(`${place}[`));
    assert.deepEqual(owned, [`${place}[name="a"]`]);
  });

  it('move to who doubles them, and to who changes one of them', () => {
    const s = template();
    s.apply('alice', containers(one, other));
    s.update('upd', containers(one, two, other));
    assert.deepEqual(s.owners['alice'], [`${place}[name="b"]`, ...partsOf('b')]);
    assert.deepEqual(s.owners['upd (Update)'], [`${place}[name="a"]`]);
    s.update('eve', containers(one, '{name: a, image: "9"}', other));
    assert.deepEqual(s.owners['eve (Update)'], [`${place}[name="a"]`]);
    assert.equal(s.owners['upd (Update)'], undefined);
  });

  it('stay with their owner when others change the list around them', () => {
    const s = template();
    s.update('upd', containers(one, two));
    s.update('eve', containers(one, two, other));
    assert.equal(s.owners['upd (Update)']?.includes(`${place}[name="a"]`), true);
    assert.deepEqual(
      s.owners['eve (Update)'],
      [`${place}[name="b"]`, ...partsOf('b'), `${place}[name="b"].resources`].toSorted(),
    );
  });

  it('are left alone by those who apply something else', () => {
    const s = template();
    s.update('upd', containers(one, two));
    s.apply('alice', containers(other));
    assert.deepEqual(images(s), ['a:1', 'a:2', 'b:3']);
    s.apply('alice', containers('{name: c, image: "4"}'));
    assert.deepEqual(images(s), ['a:1', 'a:2', 'c:4']);
  });

  it('conflict with an applier, and by force become the one that it applies', () => {
    const s = template();
    s.update('upd', containers(one, two, other));
    assert.match(s.conflict('alice', containers(one)), /conflict with "upd" using v1: .*containers\[name="a"\]$/);
    s.apply('alice', containers(one), { force: true });
    assert.deepEqual(images(s), ['a:1', 'b:3']);
    assert.deepEqual(s.owners['alice'], [`${place}[name="a"]`, ...partsOf('a')]);
    const { spec } = (s.object as { template: { spec: { containers: object[] } } }).template;
    assert.equal('tty' in (spec.containers[0] ?? {}), false);
  });

  it('are not taken away with what an applier owned before they were doubled', () => {
    const s = template();
    s.apply('alice', containers(one, other));
    s.update('upd', containers(one, two, other));
    s.apply('alice', containers(other));
    assert.deepEqual(images(s), ['a:1', 'a:2', 'b:3']);
  });
});

describe('items without a key that is always written', () => {
  it('are owned by the empty key', () => {
    const s = story({ 'apps/v1': { schema: schemaOf('api.apps.v1.Deployment') } });
    s.apply('alice', 'status: {conditions: [{status: "True"}]}', { subresource: 'status' });
    assert.deepEqual(s.owners['alice (status)'], ['.status.conditions[type=""]', '.status.conditions[type=""].status']);
  });
});
