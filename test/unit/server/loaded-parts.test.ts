import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = new URL('../../../src/', import.meta.url);

/** The files that a file imports, at once or soon after the start (`lateModule`), and its libraries. */
function importsOf(file: URL): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const patterns = [/^(?:import|export)[^;]*?from '([^']+)'/gm, /lateModule\(\(\) => import\('([^']+)'\)/g];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

/** The libraries of a program that is started by a file. */
function librariesOf(entry: string): ReadonlySet<string> {
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
  return libraries;
}

describe('the parts that a server loads', () => {
  it('have no client of gRPC and no ciphers, unless its store or its encryption needs them', () => {
    const libraries = librariesOf('process/serve-until-stopped.js');
    assert.ok(libraries.has('koa'), 'the walk finds the libraries');
    assert.deepEqual(
      [...libraries].filter((name) => /grpc|@noble|opentelemetry/.test(name)),
      [],
    );
  });
});
