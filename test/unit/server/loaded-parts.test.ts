import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../../../src/', import.meta.url);

const atOnce = /^(?:import|export)[^;]*?from '([^']+)'/gm;
const late = /lazyModule\(\(\) => import\('([^']+)'\)/g;

interface Parts {
  readonly libraries: ReadonlySet<string>;
  readonly files: readonly string[];
}

/** What a program loads that is started by a file: its libraries and its files, as the patterns find them. */
function partsOf(entry: string, patterns: readonly RegExp[]): Parts {
  const importsOf = (file: URL): readonly string[] => {
    const text = readFileSync(file, 'utf8');
    return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  };
  const libraries = new Set<string>();
  const seen = new Set<string>();
  const open = [new URL(entry, source)];
  for (let file = open.pop(); file; file = open.pop()) {
    if (seen.has(file.href)) continue;
    seen.add(file.href);
    for (const name of importsOf(file)) {
      const url = new URL(name, file);
      if (!name.startsWith('.')) libraries.add(name);
      else if (existsSync(fileURLToPath(url))) open.push(url);
    }
  }
  return { libraries, files: [...seen].map((href) => href.slice(source.href.length)) };
}

describe('the parts that a server loads', () => {
  it('have no client of gRPC and no ciphers, unless its store or its encryption needs them', () => {
    const { libraries } = partsOf('process/serve-until-stopped.js', [atOnce, late]);
    assert.ok(libraries.has('koa'), 'the walk finds the libraries');
    assert.deepEqual(
      [...libraries].filter((name) => /grpc|@noble|opentelemetry/.test(name)),
      [],
    );
  });

  it('have no descriptions of messages and no OpenAPI until the server has started', () => {
    const { files } = partsOf('process/serve-until-stopped.js', [atOnce]);
    assert.ok(files.includes('gen/schema.js'), 'the walk finds the table of schemas');
    assert.deepEqual(
      files.filter((file) => /^gen\/descriptions|openapi\/(?:handle|encode)/.test(file)),
      [],
    );
  });
});
