// Saves and loads in every format, in a module without imports. Usage: node run.mjs FILE.wasm
import fs from "node:fs";
import assert from "node:assert/strict";
import zlib from "node:zlib";

const file = fs.readFileSync(process.argv[2]);
const page = async () => (await WebAssembly.instantiate(file, {})).instance.exports;
let wasm = await page();

// Calls a function with bytes or text, and returns its bytes. Its errors are those of the archive.
function call(name, argument = "", ...numbers) {
    const bytes = Buffer.from(argument);
    const at = wasm.room(bytes.length);
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    const length = wasm[name](...numbers);
    const result = Buffer.from(new Uint8Array(wasm.memory.buffer, wasm.result(), Math.abs(length)));
    if (length < 0) throw new Error(result.toString());
    return result;
}
const get = path => JSON.parse(call("get", path).toString());
const set = (path, value) => call("set", `${path}=${JSON.stringify(value)}`);

let passed = 0, failed = 0;
function test(name, run) {
    try {
        run();
        passed += 1;
    } catch (error) {
        failed += 1;
        console.log(`${name}: ${error.message}`);
    }
}

const formats = call("names").toString().split("\n");
const json = formats.indexOf("json");
for (const [number, name] of formats.entries()) {
    test(`${name} saves and loads`, () => {
        call("begin");
        const [bytes, text] = [call("save", "", number), call("save", "", json).toString()];
        set("tick", 7);
        set("units", []);
        call("load", bytes, number);
        assert.equal(call("save", "", json).toString(), text);
        assert.equal(get("tick"), 2 ** 40);
        // The leader is one of the units still.
        set("units[1].hp", 5);
        assert.equal(get("leader.hp"), 5);
    });
    test(`${name} refuses a file that is cut short`, () => {
        call("begin");
        const bytes = call("save", "", number);
        for (let length = 0; length < bytes.length; length += 1) {
            assert.throws(() => call("load", bytes.subarray(0, length), number), /./);
        }
        assert.equal(get("tick"), 2 ** 40);
    });
    test(`${name} in a save file`, () => {
        call("begin");
        const text = call("save", "", json).toString();
        const bytes = call("save_file", "", number);
        set("weather", "Clear");
        assert.equal(call("load_file", bytes).toString(), "Before the boss");
        assert.equal(call("save", "", json).toString(), text);
        for (let at = 0; at < bytes.length; at += 1) {
            const damaged = Buffer.from(bytes);
            damaged[at] ^= 0x20;
            assert.throws(() => call("load_file", damaged), /campaign/);
        }
    });
}

test("values by path", () => {
    call("begin");
    assert.deepEqual([get("units[0].name"), get("units[0].hp")], ["Ann", 100]);
    set("weather.strength", 0.75);
    assert.equal(get("weather.strength"), 0.75);
    assert.throws(() => set("units[0].hp", "many"), /units\[0\]\.hp: expected u16/);
    assert.throws(() => get("units[0].hq"), /units\[0\]: there is no `hq`/);
});

test("files and threads are errors", () => {
    for (const line of call("files").toString().split("\n")) assert.match(line, /: (Io|Unsupported): /);
});

test("a file system of the page's own has saves and backups", () => {
    assert.equal(call("storage").toString(), "2 1");
});

// Without random numbers no save has one, so that `relation` takes no two of them for the same.
const numbers = [];
for (wasm of [await page(), await page()]) {
    call("begin");
    numbers.push(/"id":"([0-9a-f]{16})"/.exec(call("save_file", "", json).toString("latin1"))[1]);
}
test("pages give no two saves one number", () => {
    assert.ok(numbers[0] !== numbers[1] || BigInt(`0x${numbers[0]}`) === 0n, numbers.join(" "));
});

const packed = zlib.gzipSync(file, { level: 9 }).length;
console.log(`${passed} passed, ${failed} failed; ${file.length} bytes of wasm, ${packed} with gzip`);
process.exit(failed > 0 ? 1 : 0);
