import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startNotes } from './start-notes.js';

it('keeps notes in a server of this program', async () => {
  const notes = await startNotes();
  await notes.write('shopping', 'bread');
  await notes.write('shopping', 'butter');
  assert.equal(await notes.read('shopping'), 'butter');
  await notes.stop();
});
