// One build at a time in this folder: two would write the same files (`make build`, `npm start`).
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const lock = '.cache/build.lock';
const pollMs = 200;

/** Waits for the build of another process, and keeps others waiting until this process ends. */
export function lockBuild() {
  const own = `${lock}.${process.pid}`;
  try {
    mkdirSync('.cache', { recursive: true });
    writeFileSync(own, `${process.pid}`);
  } catch (error) {
    console.error(`error: nothing can be built here by this user: ${error.message}`);
    process.exit(1);
  }
  for (let waited = false; !isTaken(own); waited = true) {
    const pid = Number(readLock());
    if (!isBuild(pid)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!waited) console.log(`waiting for the build of process ${pid}, which holds ${lock}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
  rmSync(own);
  process.once('exit', () => rmSync(lock, { force: true }));
}

/** Takes the lock with its text at once, which no reader sees half written. */
function isTaken(own) {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function readLock() {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

/** True if the process is a build. A killed one may have left its number to another program, which Linux shows. */
function isBuild(pid) {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('build.js');
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
