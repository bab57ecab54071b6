import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient, discoverCached } from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, widgetsIn } from '../custom-resources/widgets.ts';
import { until } from '../until.ts';

describe('resources that are kept in a file', () => {
  let server: TestServer;
  let client: Client;
  let directory: string;
  before(async () => {
    server = await startServer();
    client = createClient(server.connection);
    directory = path.join(await mkdtemp(path.join(tmpdir(), 'discovery-')), 'kept');
  });
  after(async () => {
    await client.close();
    await server.stop();
    await rm(path.dirname(directory), { recursive: true });
  });

  const names = async (folder = directory, reader = client): Promise<string[]> => {
    const { resources } = await discoverCached(reader, { directory: folder });
    return resources.map(({ group, resource }) => `${resource}.${group}`);
  };
  const keptFile = async (): Promise<string> => {
    const [file = '', ...others] = await readdir(directory);
    assert.deepEqual(others, [], 'no other file stays');
    return path.join(directory, file);
  };

  it('are those of the server, and can be read by the owner alone', async () => {
    assert.ok((await names()).includes('configmaps.'));
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(await keptFile())).mode & 0o777, 0o600);
  });

  it('are not sent again while they are the same', async () => {
    const bodies: (number | undefined)[] = [];
    const { transport } = client;
    const revalidate: typeof transport.revalidate = async (asked) => {
      const answer = await transport.revalidate(asked);
      bodies.push(answer.body?.length);
      return answer;
    };
    const counting = { ...client, transport: { ...transport, revalidate } };
    assert.deepEqual(await names(directory, counting), await names());
    assert.deepEqual(bodies, [undefined, undefined], 'of /api and /apis');
  });

  it('follow the server', async () => {
    const group = 'kept.example.com';
    await define(server, widgetsIn(group));
    await until('the kind', async () => (await names()).includes(`widgets.${group}`));
  });

  it('are asked for again if the file is damaged, of another form, or of another server', async () => {
    const file = await keptFile();
    const whole = await readFile(file, 'utf8');
    const kept = JSON.parse(whole) as { parts: object[] };
    const damaged = [
      '',
      '{',
      'null',
      '[]',
      JSON.stringify({ ...kept, parts: [{}, {}] }),
      JSON.stringify({ ...kept, form: 0 }),
      JSON.stringify({ ...kept, server: 'https://other' }),
    ];
    for (const text of damaged) {
      await writeFile(file, text);
      assert.ok((await names()).includes('configmaps.'), text);
      assert.equal(await readFile(file, 'utf8'), whole, text);
    }
  });

  it('are those of the server where no file can be written', async () => {
    assert.ok((await names(path.join(await keptFile(), 'below'))).includes('configmaps.'));
  });
});
