import assert from 'node:assert/strict';
import { etcdOverrides, overridesError } from '../../../../src/config/flags/etcd-overrides.ts';

describe('overrides of etcd', () => {
  it('name a resource and the URLs of its etcd', () => {
    const text = '/events#http://a:2379;http://b:2379,apps/deployments#https://c:1';
    assert.deepEqual(etcdOverrides.parse(text), [
      { group: '', resource: 'events', servers: ['http://a:2379', 'http://b:2379'] },
      { group: 'apps', resource: 'deployments', servers: ['https://c:1'] },
    ]);
    assert.equal(etcdOverrides.format(etcdOverrides.parse(text)), text);
  });

  it('refuse other forms', () => {
    for (const text of ['events#http://a:1', '/events', '/events#', '/events#ftp://a', '/Events#http://a:1']) {
      assert.throws(() => etcdOverrides.parse(text), /use <group>\/<resource>#<URL>;<URL>/, text);
    }
  });

  it('refuse resources that are unknown or repeated', () => {
    const known = [{ group: '', resource: 'events' }];
    assert.equal(overridesError(etcdOverrides.parse('/events#http://a:1'), known), undefined);
    assert.match(
      overridesError(etcdOverrides.parse('/ghosts#http://a:1'), known) ?? '',
      /\/ghosts is no stored built-in resource/,
    );
    assert.match(
      overridesError(etcdOverrides.parse('/events#http://a:1,/events#http://b:1'), known) ?? '',
      /\/events has two overrides/,
    );
  });
});
