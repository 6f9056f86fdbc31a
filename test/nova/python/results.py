"""Results of tests, one line each, and their sum as the last line."""

import json
import re
import unittest


def one_line(text):
    return re.sub(r'\s+', ' ', text).strip()


class Lines(unittest.TestResult):
    """Prints each failure when it is known; with JSON each result."""

    def __init__(self, is_json=False):
        super().__init__()
        self.is_json = is_json
        self.group = ''
        self.counts = {'passed': 0, 'failed': 0, 'skipped': 0}

    def named(self, test):
        return test.id()

    def described(self, test, error):
        """What was expected and what came, in one line."""
        return one_line(str(error[1]) or repr(error[1]))[:1000]

    def record(self, test, outcome, reason=None):
        self.counts[outcome] += 1
        name = self.named(test)
        if self.is_json:
            result = {'group': self.group, 'name': name, 'outcome': outcome, 'reason': reason}
            print(json.dumps(result), flush=True)
        elif outcome == 'failed':
            print(f'FAILED {self.group}: {name}: {reason}'.replace('FAILED : ', 'FAILED '), flush=True)

    def addSuccess(self, test):
        self.record(test, 'passed')

    def addFailure(self, test, error):
        self.record(test, 'failed', self.described(test, error))

    addError = addFailure

    def addExpectedFailure(self, test, error):
        self.record(test, 'passed')

    def addUnexpectedSuccess(self, test):
        self.record(test, 'failed', 'passes, although it is marked as failing')

    def addSkip(self, test, reason):
        self.record(test, 'skipped', reason)

    def finish(self):
        """Prints the sum, and returns the exit status."""
        if not self.is_json:
            passed, failed, skipped = (self.counts[key] for key in ('passed', 'failed', 'skipped'))
            print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
        return 1 if self.counts['failed'] else 0
