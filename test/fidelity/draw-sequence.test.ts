import assert from 'node:assert/strict';
import { areas } from './areas/areas.ts';
import { drawSequence } from './draw-sequence.ts';
import { allSubjects } from './subjects.ts';

const subjects = allSubjects();

describe('Drawn sequences', () => {
  it('follow from their seeds', () => {
    for (let seed = 0; seed < 50; seed++) {
      const one = JSON.stringify(drawSequence(seed, areas, subjects).sequence);
      assert.equal(JSON.stringify(drawSequence(seed, areas, subjects).sequence), one);
    }
  });

  it('are of every area and of every kind', () => {
    const missing = new Set([...areas.map(({ area }) => area.name), ...subjects.map(({ key }) => key)]);
    for (let seed = 0; seed < 3_000 && missing.size > 0; seed++) {
      const { sequence, subject } = drawSequence(seed, areas, subjects);
      missing.delete(sequence.area);
      missing.delete(subject.key);
    }
    assert.deepEqual([...missing], []);
  });

  it('have as many placeholders as can be filled', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { sequence } = drawSequence(seed, areas, subjects);
      const remembered = new Set(sequence.steps.map(({ remember }) => remember));
      const placeholders = JSON.stringify(sequence.steps).matchAll(/\{\{([\w.]+)\}\}/g);
      for (const [, placeholder = ''] of placeholders) {
        const [name, field] = placeholder.split('.');
        assert.ok(
          field === undefined ? ['ns', 'name', 'uid', 'rv'].includes(placeholder) : remembered.has(name),
          placeholder,
        );
      }
    }
  });
});
