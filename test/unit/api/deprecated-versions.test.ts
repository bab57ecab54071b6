import assert from 'node:assert/strict';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { everyVersion } from '../../../src/catalogue/served-definitions.ts';
import { defaultHttpOptions } from '../../../src/api/http-flags.ts';
import { type Exchange, OpenExchange } from '../../../src/api/request/exchange.ts';
import { OpenRequests } from '../../../src/http-protocol/requests/open-requests.ts';
import { type Fixture, identifiers, startFixture } from './fixture.ts';

describe('a version that is out of favour', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture({ catalogue: builtInCatalogue(identifiers, { ...everyVersion, release: '1.21' }) });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const rows: readonly (readonly [path: string, warning: string | undefined])[] = [
    [
      '/apis/extensions/v1beta1/ingresses',
      'extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress',
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1beta1/clusterroles',
      'rbac.authorization.k8s.io/v1beta1 ClusterRole is deprecated in v1.17+, unavailable in v1.22+; use rbac.authorization.k8s.io/v1 ClusterRole',
    ],
    [
      '/apis/policy/v1beta1/podsecuritypolicies',
      'policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+',
    ],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', undefined],
    ['/api/v1/pods', undefined],
  ];
  for (const [path, warning] of rows) {
    it(`${path}: ${warning ? 'warns' : 'does not warn'}`, async () => {
      const list = await fixture.send({ path });
      assert.equal(list.status, 200, list.text);
      assert.equal(list.headers['warning'], warning ? `299 - "${warning}"` : undefined);
    });
  }

  it('is noted for the audit record', async () => {
    const requests = new OpenRequests(defaultHttpOptions);
    const seen: Exchange[] = [];
    const open = requests.open.bind(requests);
    requests.open = (...args) => {
      const exchange = open(...args);
      if (exchange instanceof OpenExchange) seen.push(exchange);
      return exchange;
    };
    const catalogue = builtInCatalogue(identifiers, { ...everyVersion, release: '1.21' });
    await using audited = await startFixture({ catalogue, requests });
    await audited.send({ path: '/apis/extensions/v1beta1/ingresses' });
    await audited.send({ path: '/api/v1/componentstatuses' });
    await audited.send({ path: '/api/v1/pods' });
    assert.deepEqual(
      seen.map(({ annotations }) => Object.fromEntries(annotations)),
      [{ 'k8s.io/deprecated': 'true', 'k8s.io/removed-release': '1.22' }, { 'k8s.io/deprecated': 'true' }, {}],
    );
  });

  it('warns of what is not there, too', async () => {
    const response = await fixture.send({ path: '/apis/extensions/v1beta1/namespaces/default/ingresses/none' });
    assert.equal(response.status, 404);
    assert.match(String(response.headers['warning']), /is deprecated in v1\.14\+/);
  });
});

describe('a PUT to a name that does not exist', () => {
  it('is answered with the mismatch of the version in the body first', async () => {
    await using fixture = await startFixture();
    const put = (metadata: object) =>
      fixture.send({
        method: 'PUT',
        path: '/api/v1/namespaces/default/configmaps/a',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
      });
    const other = await put({ name: 'b' });
    assert.equal(other.status, 400);
    assert.equal(other.at('message'), 'the name of the object (b) does not match the name on the URL (a)');
    assert.equal((await put({})).status, 400);
    assert.equal((await put({ name: 'a' })).status, 404);
  });
});
