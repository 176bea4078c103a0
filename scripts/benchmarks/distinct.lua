-- Asks for a URL that nobody has asked for before.
--
-- Where a node refuses names that it does not know, the letters and digits of the query are written in 2^16 other ways;
-- elsewhere a parameter that it does not know makes it so.
local number = 0

local function rewritten()
    local left = number % 65536
    local start, query = wrk.path:match("^([^?]*%?)(.*)$")
    return start .. query:gsub("%w", function(letter)
        local is_encoded = left % 2 == 1
        left = (left - left % 2) / 2
        return is_encoded and string.format("%%%02X", letter:byte()) or letter
    end)
end

function request()
    number = number + 1
    if wrk.path:find("^/api/transactions%?") then return wrk.format("GET", rewritten()) end
    return wrk.format("GET", wrk.path .. "&number=" .. number)
end
