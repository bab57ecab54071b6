import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../src/testing/index.ts';

const policy = 'apiVersion: audit.cl.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';

describe('the start with a file that cannot be used', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unusable-'));
    await writeFile(join(folder, 'policy.yaml'), policy);
  });
  after(() => rm(folder, { recursive: true }));

  it('names the webhook whose client config file is missing', async () => {
    const tokenWebhook = { clientConfigFile: join(folder, 'none'), cacheTtlMs: 0, version: 'v1' as const };
    await assert.rejects(
      startServer({ tokenWebhook }),
      /^Error: the client config of the webhook that authenticates tokens: .*cannot read .*none/,
    );
  });

  it('names the flag of the audit log whose folder is missing', async () => {
    const options = { auditPolicyFile: join(folder, 'policy.yaml'), auditLog: { path: join(folder, 'none', 'log') } };
    await assert.rejects(startServer(options), /^Error: --audit-log-path: ENOENT/);
  });
});
