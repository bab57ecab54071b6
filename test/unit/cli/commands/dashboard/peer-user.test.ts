import assert from 'node:assert/strict';
import { ownConnections } from '../../../../../src/cli/commands/dashboard/peer-user.ts';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, remote: string, state: string, uid: number): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 48012 1 0 100 0 0 10 0\n`;

describe('connections of this user', () => {
  const page = { localPort: 0x1f90, remotePort: 0xb1df };
  const own = line('0100007F:1F90', '0100007F:B1DF', '01', 1000);
  const judge = (table: string, tcp6 = head): boolean =>
    ownConnections(() => [head + own + table, tcp6], 1000)({ ...page });

  it('are those whose other end is a socket of the user, or of root', () => {
    assert.equal(judge(line('0100007F:B1DF', '0100007F:1F90', '01', 1000)), true);
    assert.equal(judge(line('0100007F:B1DF', '0100007F:1F90', '01', 0)), true);
    assert.equal(judge(line('0100007F:B1DF', '0100007F:1F90', '01', 1001)), false);
  });

  it('are none that were closed at once, whose user is no longer known', () => {
    assert.equal(judge(line('0100007F:B1DF', '0100007F:1F90', '06', 0)), false);
  });

  it('are found among sockets of IPv6 and among ports of other addresses', () => {
    const other = line('0200007F:B1DF', '0100007F:1F90', '01', 1000);
    const mapped = line('0000000000000000FFFF00000100007F:B1DF', '0000000000000000FFFF00000100007F:1F90', '01', 1001);
    assert.equal(judge(other, head + mapped), false);
  });

  it('are all where the system does not say', () => {
    assert.equal(judge(''), true);
    assert.equal(ownConnections(() => ['', ''], 1000)(page), true);
  });

  it('are judged once', () => {
    let reads = 0;
    const isOwn = ownConnections(() => [String((reads += 1))], 1000);
    assert.deepEqual([isOwn(page), isOwn(page), reads], [true, true, 1]);
  });
});
