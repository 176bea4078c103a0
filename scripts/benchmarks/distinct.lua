-- Asks for a URL that nobody has asked for before: a parameter that the node does not know makes it so.
local number = 0

function request()
    number = number + 1
    return wrk.format("GET", wrk.path .. "&number=" .. number)
end
