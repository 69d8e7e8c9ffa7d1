-- Runs once in a new sandbox. It returns a function that creates the environment of a script: copies of the libraries, without
-- what reaches files, the clock or other scripts, and with work in C charged to the budget.
local spend = ...

local error, getmetatable, pairs, pcall, rawget, rawlen, select, setmetatable, tostring, type =
    error, getmetatable, pairs, pcall, rawget, rawlen, select, setmetatable, tostring, type
local string, table, coroutine, math = string, table, coroutine, math
local max, min = math.max, math.min
local len, find, gsub, sub = string.len, string.find, string.gsub, string.sub

-- A function that catches errors throws the one of the budget again.
local function again(...)
    spend(10)
    return ...
end

local function caught_pcall(f, ...)
    return again(pcall(f, ...))
end

local base = {
    assert = assert,
    error = error,
    getmetatable = getmetatable,
    ipairs = ipairs,
    next = next,
    pairs = pairs,
    pcall = caught_pcall,
    rawequal = rawequal,
    rawget = rawget,
    rawlen = rawlen,
    rawset = rawset,
    select = select,
    tonumber = tonumber,
    tostring = tostring,
    type = type,
    _VERSION = _VERSION,
}

-- A handler runs after the error, not where it was thrown: no limit ends a handler that is called there.
function base.xpcall(f, handler, ...)
    local function results(ok, ...)
        if ok then
            return true, ...
        end
        return false, handler(...)
    end
    return results(caught_pcall(f, ...))
end

-- No limit ends a finalizer.
function base.setmetatable(t, meta)
    if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
        error("`__gc` is not available in scripts", 2)
    end
    return setmetatable(t, meta)
end

local function copy(from, names)
    local to = {}
    for name in names:gmatch("%a+") do
        to[name] = from[name]
    end
    return to
end

local strings = copy(string, "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper")
local tables = copy(table, "concat insert move pack remove sort unpack")
local coroutines = copy(coroutine, "close create isyieldable resume running status wrap yield")
local maths = copy(math, "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad sin sqrt tan"
    .. " tointeger type ult")

local function size(text)
    return type(text) == "string" and len(text) or 32
end

function strings.rep(text, count, separator)
    local one = size(text) + (type(separator) == "string" and len(separator) or 0)
    spend(one * max(0, tonumber(count) or 0) / 16)
    return string.rep(text, count, separator)
end

for name in ("byte lower reverse upper unpack pack format char"):gmatch("%a+") do
    local function_ = strings[name]
    strings[name] = function(text, ...)
        spend(size(text) / 16)
        return function_(text, ...)
    end
end

-- A pattern is charged for the most that it can cost: each repetition may try every length at every place.
local function spend_pattern(text, pattern)
    if type(pattern) ~= "string" then
        return
    end
    local _, repetitions = gsub(sub(pattern, 1, 1000), "[%*%+%-%?b]", "")
    spend((size(text) + 1) ^ (repetitions + 1) / 64 + len(pattern))
end

function strings.find(text, pattern, from, plain)
    if plain then
        spend(size(text) * max(1, min(size(pattern), 64)) / 64)
    else
        spend_pattern(text, pattern)
    end
    return find(text, pattern, from, plain)
end

for name in ("match gmatch gsub"):gmatch("%a+") do
    local function_ = strings[name]
    strings[name] = function(text, pattern, ...)
        spend_pattern(text, pattern)
        return function_(text, pattern, ...)
    end
end

-- The methods of text. No script can replace them for others.
local of_text = getmetatable("")
of_text.__index, of_text.__metatable = strings, false

local function items(list)
    return type(list) == "table" and rawlen(list) or 0
end

for name in ("concat insert pack remove unpack"):gmatch("%a+") do
    local function_ = tables[name]
    tables[name] = function(list, ...)
        spend(items(list) / 4)
        return function_(list, ...)
    end
end

function tables.sort(list, less)
    spend(items(list) * 20)
    return table.sort(list, less)
end

function tables.move(from, first, last, to, into)
    spend(max(0, (tonumber(last) or 0) - (tonumber(first) or 0)))
    return table.move(from, first, last, to, into)
end

function coroutines.resume(...)
    return again(coroutine.resume(...))
end

function coroutines.close(...)
    return again(coroutine.close(...))
end

local function copied(from)
    local to = {}
    for name, value in pairs(from) do
        to[name] = value
    end
    return to
end

return function()
    local environment = copied(base)
    environment.string, environment.table = copied(strings), copied(tables)
    environment.coroutine, environment.math = copied(coroutines), copied(maths)
    environment._G = environment
    return environment
end
