import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '../../../src/testing/index.ts';
import { parseTokenFile } from '../../../src/authn/token-file.ts';
import { whoami } from './whoami.ts';

/** The bytes of a token in a header. Node writes headers as Latin-1. */
const bearer = (token: string) => ({ authorization: `Bearer ${Buffer.from(token).toString('latin1')}` });

const odd = ['a@b', 'a|b', 'a!b', 'a,b', 'a%b', '{"a":"b"}', 'a$b', 'a;b', 'a=b=c', '==', 'größe', '日本', 'a\\b', 'à'];

describe('an opaque bearer token', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'opaque-tokens-'));
  });
  after(() => rm(directory, { recursive: true }));

  it('of a file may have any characters but spaces', async () => {
    const line = (token: string, index: number): string => `"${token.replaceAll('"', '""')}",user${index},${index}`;
    const file = path.join(directory, 'tokens.csv');
    await writeFile(file, odd.map(line).join('\n'));
    const tokens = parseTokenFile(odd.map(line).join('\n')).map(({ token, user }) => ({ token, ...user }));
    await using server = await startServer({ store: 'memory', tokens });
    for (const [index, token] of odd.entries()) {
      const { status, user } = await whoami(server, bearer(token));
      assert.deepEqual([status, (user as { username?: string } | undefined)?.username], [201, `user${index}`], token);
    }
    for (const wrong of ['a@', 'a@b@', 'gr\ufffd\ufffd\ufffd\ufffde']) {
      assert.equal((await whoami(server, bearer(wrong))).status, 401, wrong);
    }
    const illFormed = { authorization: 'Bearer gr\xc3(' };
    assert.equal((await whoami(server, illFormed)).status, 401, 'bytes that are no UTF-8');
  });
});
