// A server on the memory store with added kinds, made by the package's own API. Arguments: a token, the number of kinds.
// Prints its address.
import { createServer } from '../../src/server/index.ts';
import { customKind } from '../unit/api/custom-kind.ts';

const [token = '', count = '0'] = process.argv.slice(2);
const tokens = [{ token, username: 'bench', groups: ['system:masters'] }];
const { url, catalogue } = await createServer({ tokens, authorizationMode: 'AlwaysAllow', logLevel: 'error' });
for (let index = 0; index < Number(count); index++) {
  catalogue.put(customKind(`g${index % 100}.example.com`, `k${index}s`));
}
console.log(url);
