// SCRIPT CASE runs one of a script's cases, SCRIPT --list names them. Exits with 0 when all is well.
export async function run_cases(cases) {
  const name = process.argv[2];
  if (name === '--list') {
    console.log(Object.keys(cases).join('\n'));
    return;
  }
  if (!Object.hasOwn(cases, name)) {
    console.error(`no case is called ${name}`);
    process.exit(2);
  }
  const closing = [];
  let code = 0;
  try {
    // `owned` closes what it is given when the case is over, the last first.
    await cases[name]((thing) => (closing.push(thing), thing));
  } catch (error) {
    console.error(error);
    code = 1;
  }
  for (const thing of closing.reverse()) await thing.close();
  process.exit(code);
}
