import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a module loads before it runs, through all the modules of ours that it needs: names of packages. */
function packagesOf(entry: URL): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (module: URL): void => {
    if (seen.has(module.href)) return;
    seen.add(module.href);
    for (const [, name = ''] of readFileSync(module, 'utf8').matchAll(
      /^(?:import|export) (?:[^'";]* from )?'([^']+)'/gm,
    )) {
      if (name.startsWith('.')) visit(new URL(name, module));
      else packages.add(name);
    }
  };
  visit(entry);
  assert.ok(seen.size > 100, `only ${seen.size} modules were found from ${fileURLToPath(entry)}`);
  return packages;
}

describe('loaded modules', () => {
  it('of a server are none that only certificates of clients and requests of them need: 12 MB of memory', () => {
    const packages = packagesOf(new URL('../../../src/process/serve-until-stopped.js', import.meta.url));
    assert.ok(packages.has('koa'), 'the walk finds packages');
    assert.deepEqual(
      [...packages].filter((name) => ['pkijs', 'asn1js'].includes(name)),
      [],
    );
  });
});
