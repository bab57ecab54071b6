import assert from 'node:assert/strict';
import { startedAs } from '../../../src/cli/up/started-as.ts';

const directory = '/home/ann/project';
const installed = `${directory}/node_modules/.bin/cl`;
const PATH = '/usr/local/bin:/usr/bin';

describe('the command of printed examples', () => {
  for (const [way, script, env, command] of [
    ['npx', '/home/ann/.npm/_npx/1/node_modules/.bin/cl-apiserver', { npm_command: 'exec' }, 'npx cl-apiserver'],
    ['a script of npm', installed, { npm_command: 'run-script' }, 'npx cl-apiserver'],
    ['its path in a project', installed, {}, 'node_modules/.bin/cl'],
    ['a package on the PATH', '/usr/local/bin/cl', {}, 'cl'],
    [
      'an archive',
      '/opt/cl-apiserver/lib/cl.js',
      { CL_LAUNCHER: '/opt/cl-apiserver/bin/cl' },
      '/opt/cl-apiserver/bin/cl',
    ],
    ['an archive with a link', '/opt/cl-apiserver/lib/cl.js', { CL_LAUNCHER: '/usr/local/bin/cl' }, 'cl'],
    ['the sources', `${directory}/dist/bundle/bin/cl.js`, { npm_command: 'start' }, 'node dist/bundle/bin/cl.js'],
  ] as const) {
    it(`works as it is after a start by ${way}`, () => {
      assert.equal(startedAs(script, { env: { PATH, ...env }, directory }), command);
    });
  }
});
