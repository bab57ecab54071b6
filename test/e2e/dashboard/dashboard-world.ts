import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Client, createClient } from '../../../src/client/client.ts';
import type { ResourceReference } from '../../../src/client/resource-path.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/start-server.ts';
import { startTestEtcd, type TestEtcd } from '../local-store.ts';
import { openBrowser, type TestBrowser } from './test-browser.ts';

/** An administrator by token, and a user who may only read. */
export const annToken = 'token-of-ann';
export const benToken = 'token-of-ben';

/** Kinds of the stories. */
export const namespaceKind = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
export const roleKind = {
  group: 'rbac.authorization.cl.io',
  version: 'v1',
  resource: 'clusterroles',
  namespaced: false,
};
const configMapKind = { group: '', version: 'v1', resource: 'configmaps' };

const hourMs = 3_600_000;

/** One server with the dashboard on an etcd, one browser with one page, and what the stories do with them. */
export class DashboardWorld {
  readonly #made: { directory?: string; etcd?: TestEtcd; server?: TestServer; client?: Client; browser?: TestBrowser } =
    {};
  #options: TestServerOptions = {};

  async start(): Promise<void> {
    const directory = (this.#made.directory = await mkdtemp(path.join(tmpdir(), 'cl-dashboard-')));
    const [key, etcd, browser] = await Promise.all([generateKey(), startTestEtcd(), openBrowser()]);
    Object.assign(this.#made, { etcd, browser });
    const certificatePem = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + hourMs));
    const user = { username: 'ann', groups: ['system:masters'] };
    const { certPem, keyPem } = await issueClientCertificate({ key, certificatePem }, user, hourMs);
    for (const [name, text] of Object.entries({ 'ca.crt': certificatePem, 'ann.crt': certPem, 'ann.key': keyPem })) {
      await writeFile(path.join(directory, name), text, { mode: 0o600 });
    }
    this.#options = {
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      enableDashboard: true,
      authorizationMode: ['RBAC'],
      clientCaFile: this.file('ca.crt'),
      tokens: [
        { token: annToken, username: 'ann', groups: ['system:masters'] },
        { token: benToken, username: 'ben', groups: [] },
      ],
    };
    await this.startServer();
    await this.make({ ...roleKind, resource: 'clusterrolebindings' }, '', {
      metadata: { name: 'ben' },
      roleRef: { apiGroup: roleKind.group, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'ben' }],
    });
  }

  async stop(): Promise<void> {
    const { directory, etcd, browser } = this.#made;
    await browser?.[Symbol.asyncDispose]();
    await this.stopServer();
    await etcd?.[Symbol.asyncDispose]();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }

  /** Starts the server, after the first time on the same port. */
  async startServer(): Promise<void> {
    const securePort = this.#made.server?.port ?? 0;
    const server = await startServer({ ...this.#options, securePort });
    Object.assign(this.#made, { server, client: createClient(server.connection) });
  }

  async stopServer(): Promise<void> {
    await this.#made.client?.close();
    await this.#made.server?.stop();
  }

  get etcd(): TestEtcd {
    return present(this.#made.etcd);
  }

  get server(): TestServer {
    return present(this.#made.server);
  }

  get browser(): TestBrowser {
    return present(this.#made.browser);
  }

  get page(): Page {
    return this.browser.page;
  }

  file(name: string): string {
    return path.join(present(this.#made.directory), name);
  }

  /** Creates an object of any kind. */
  async make(kind: ResourceReference, namespace: string, object: object): Promise<void> {
    // The server checks the object.
    await present(this.#made.client)
      .resource(kind)
      .create(object as never, { namespace });
  }

  /** The writes of another user to ConfigMaps. */
  maps(namespace = 'default') {
    const objects = present(this.#made.client).resource(configMapKind);
    return {
      create: (name: string, data: Record<string, string> = {}, metadata: object = {}) =>
        this.make(configMapKind, namespace, { metadata: { name, ...metadata }, data }),
      set: (name: string, data: Record<string, string>) => objects.patch(name, { data }, { namespace, type: 'merge' }),
      delete: (name: string) => objects.delete(name, { namespace }),
      async dataOf(name: string): Promise<unknown> {
        const object: object = await objects.get(name, { namespace });
        return 'data' in object ? object.data : undefined;
      },
    };
  }

  /** Shows the page of a fragment. */
  async show(fragment: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  }

  async signIn(token: string): Promise<void> {
    await this.page.fill('#token', token);
    await this.page.click('button.primary');
  }

  /** Waits until the table or object follows the server. */
  untilLive(): Promise<void> {
    return this.page.locator('.bar .state.live').waitFor();
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  untilYaml(text: string): Promise<void> {
    return this.page.locator('pre.yaml', { hasText: text }).waitFor();
  }

  /** Changes the text of the editor. */
  async edit(change: (text: string) => string): Promise<void> {
    const area = this.page.locator('.editor textarea');
    await area.fill(change(await area.inputValue()));
  }

  /** The first cells of the rows that are drawn, without their ages. */
  rows(cells = 2): Promise<string[]> {
    return this.page.locator('.rows tbody tr:not([aria-hidden])').evaluateAll(
      (found, count) =>
        found.map((row) =>
          [...row.children]
            .slice(0, count)
            .map((cell) => cell.textContent)
            .join(' '),
        ),
      cells,
    );
  }

  /** Waits until the drawn rows are those. */
  async untilRows(...expected: readonly string[]): Promise<void> {
    let found: readonly string[] = [];
    for (let tries = 0; tries < 1000; tries++) {
      found = await this.rows();
      if (found.join('\n') === expected.join('\n')) return;
      await this.page.waitForTimeout(20);
    }
    assert.deepEqual(found, expected);
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the world is not started');
  return value;
}
