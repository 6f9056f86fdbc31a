import { alone } from '../../scripts/setup/alone.mjs';
import { prepareMysql } from '../../scripts/setup/mysql.mjs';
import { prepareCode } from '../../scripts/setup/project.mjs';

/** Compiles the code and sees to it that there is MySQL; tells test files where by PLACEMENT_DATABASE_PROGRAM. */
export default function prepare() {
  return alone(async () => {
    await prepareCode();
    process.env.PLACEMENT_DATABASE_PROGRAM = await prepareMysql();
  });
}
