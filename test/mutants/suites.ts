/** The tests of each folder, the quick ones first: the first that fails ends a run. Below `dist/test/`. */
const suites: Readonly<Record<string, readonly string[]>> = {
  apply: ['unit/apply/*.test.js', 'unit/registry/apply.test.js'],
  etcd: [
    'unit/etcd/*.test.js',
    'contract/unary-calls.test.js',
    'contract/object-store.test.js',
    'contract/etcd-*.test.js',
  ],
  registry: [
    'unit/registry/*.test.js',
    'unit/server/service-allocation.test.js',
    'unit/http/*.test.js',
    'http/refusals/*.test.js',
    'http/subresources.test.js',
    'http/deletion.test.js',
  ],
  storage: [
    'unit/storage/*.test.js',
    'unit/registry/*.test.js',
    'contract/object-store.test.js',
    'contract/remote-faults.test.js',
    'contract/broken-watch.test.js',
    'contract/etcd-faults.test.js',
  ],
};

/** The folders whose mutants are made. */
export const mutatedFolders: readonly string[] = Object.keys(suites);

/** The tests that should notice a mutant of a folder. */
export function testsOf(folder: string): readonly string[] {
  return suites[folder] ?? [];
}
