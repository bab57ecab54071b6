import { startNotes } from './start-notes.js';

const notes = await startNotes();
await notes.write('shopping', 'bread');
console.log(`serving ${notes.url}, shopping is ${await notes.read('shopping')}`);
process.once('SIGINT', () => notes.stop());
