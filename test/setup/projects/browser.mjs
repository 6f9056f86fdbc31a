// Jest runs each set-up file once for all projects that name it, so each of these projects has a file of its own.
export { default } from '../global.mjs';
