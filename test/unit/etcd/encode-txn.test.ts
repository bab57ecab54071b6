import assert from 'node:assert/strict';
import { encodeTxn, type TxnRequest } from '../../../src/etcd/encode-txn.ts';

const key = Buffer.from('/a');

/** Requests, and their bytes as a general encoder of Protobuf writes them. */
const requests: readonly { what: string; request: TxnRequest; hex: string }[] = [
  {
    what: 'a create',
    request: { key, expectedRevision: 0, value: Buffer.from('new') },
    hex: '00000000170a0810011a022f612800120b12090a022f6112036e6577',
  },
  {
    what: 'a create with a lease of 63 bits',
    request: { key, expectedRevision: 0, value: Buffer.from('e'), lease: '7587870000000000001' },
    hex: '000000001f0a0810011a022f612800121312110a022f611201651881c0dffe80f2e1a669',
  },
  {
    what: 'an update of a value whose length takes two bytes, at a revision beyond 32 bits',
    request: { key, expectedRevision: 2 ** 40 + 5, value: Buffer.alloc(130, 'x') },
    hex: `00000000a60a0d10021a022f6130858080808020128c011289010a022f61128201${'78'.repeat(130)}1a060a040a022f61`,
  },
  {
    what: 'a delete',
    request: { key, expectedRevision: 300, value: undefined },
    hex: '000000001b0a0910021a022f6130ac0212061a040a022f611a060a040a022f61',
  },
];

describe('a transaction of etcd', () => {
  for (const { what, request, hex } of requests) {
    it(`has the bytes of the protocol for ${what}`, () => assert.equal(encodeTxn(request).toString('hex'), hex));
  }
});
