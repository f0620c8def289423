-- Runs the Lua app outside of the game, for a test: the game's own functions are stood in for, the socket is real.
--
-- Arguments: the app's folder, the port to send to, what there is of socket libraries, how many frames to drive.

local folder, port, libraries, frames = arg[1], tonumber(arg[2]), arg[3], tonumber(arg[4])

local plain = require
function require(name)
  local wanted = name:find('socket', 1, true)
  if name == 'config' then
    return { host = '127.0.0.1', port = port }
  elseif wanted and libraries == 'none' then
    error('module ' .. name .. ' not found')
  elseif name == 'shared/socket' and libraries == 'shared' then
    return plain('socket')
  end
  return plain(name)
end

local function wheel(place)
  return {
    suspensionTravel = 0.01 * (place + 1),
    tyreWear = 0.125 * place,
    tyreCoreTemperature = 80.5 + place,
    suspensionDamage = 0.25 * place,
  }
end

local car = {
  speedMs = 42.5, rpm = 6500.25, gear = 4, gas = 0.75, brake = 0, clutch = 1, steer = -90.5, fuel = 31.25,
  lapTimeMs = 78000, position = { x = 100.5, y = 2.25, z = -50.75 },
  wheels = { [0] = wheel(0), [1] = wheel(1), [2] = wheel(2), [3] = wheel(3) },
  damage = { [0] = 0, [1] = 12.5, [2] = 3, [3] = 0, [4] = 99 },
  -- What a car does not have is nil in the game; what it cannot measure is no number.
  gearboxDamage = nil,
}

ac = {
  log = function(text) print(text) end,
  getCar = function(index) return index == 0 and car or nil end,
  getSim = function() return { roadTemperature = 31.5, ambientTemperature = 0 / 0, rainIntensity = 0.25 } end,
}
ui = { text = function(text) print('window: ' .. text) end }
script = {}

dofile(folder .. '/trailbrake.lua')
for _ = 1, frames do
  script.update(1 / 60)
  car.lapTimeMs = car.lapTimeMs + 16
end
script.windowMain()
