// Reporter of mocha, by `.mocharc.json`: dots, and each failure as it comes, not only in the list at the end, so that a run
// that is ended by hand or killed has told what failed until then.
import Mocha from 'mocha';

class DotReporter extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('fail', (test, { stack, message }: Error) => {
      console.log(`\nfailed: ${test.titlePath().join(': ')}\n${stack ?? message}`);
    });
  }
}

// The name by which mocha, which calls require(), gets the class itself.
export { DotReporter as 'module.exports' };
