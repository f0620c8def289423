-- Trailbrake's app for Custom Shaders Patch: sends one JSON object about the player's car over UDP in each frame.
--
-- Missing values are left out: a zero would be taken for a measurement.

-- Known names of the socket library, the one in Custom Shaders Patch first.
local LIBRARIES = { 'shared/socket', 'socket', 'socket.core' }

-- The last message, for the app's window.
local status = ''

local function log(text)
  status = text
  ac.log('Trailbrake: ' .. text)
end

local function configuration()
  local found, config = pcall(require, 'config')
  if not found or type(config) ~= 'table' then
    config = {}
  end
  return config.host or '127.0.0.1', config.port or 5005
end

-- A UDP socket connected to Trailbrake, or nil.
local function connect()
  for _, name in ipairs(LIBRARIES) do
    local found, library = pcall(require, name)
    if found and type(library) == 'table' and library.udp then
      local host, port = configuration()
      local socket = library.udp()
      socket:settimeout(0)
      local connected, why = socket:setpeername(host, port)
      if connected then
        log('sends to ' .. host .. ':' .. port .. ' through ' .. name)
        return socket
      end
      log('cannot send to ' .. host .. ':' .. port .. ': ' .. tostring(why))
      return nil
    end
  end
  log('no socket library was found (' .. table.concat(LIBRARIES, ', ') .. '); nothing is sent. '
    .. 'Update Custom Shaders Patch, or use the remote telemetry that the game has built in.')
  return nil
end

-- A number in JSON; nil for anything else, NaN and infinities included.
local function number(value)
  if type(value) ~= 'number' or value ~= value or value == math.huge or value == -math.huge then
    return nil
  end
  -- Some locales write a decimal comma, which JSON does not allow.
  return (string.format('%.9g', value):gsub(',', '.'))
end

-- "key":value, or nil without a value.
local function member(key, value)
  return value and '"' .. key .. '":' .. value or nil
end

-- The present members in braces; nil if there are none.
local function object(keys, members)
  local present = {}
  for place = 1, #keys do
    local text = member(keys[place], members[place])
    if text then
      present[#present + 1] = text
    end
  end
  return #present > 0 and '{' .. table.concat(present, ',') .. '}' or nil
end

-- One value per wheel, front left first; nil unless all four are present.
local function wheels(car, name)
  local values = {}
  for wheel = 0, 3 do
    values[wheel + 1] = car.wheels and car.wheels[wheel] and number(car.wheels[wheel][name])
  end
  for place = 1, 4 do
    if not values[place] then
      return nil
    end
  end
  return '[' .. table.concat(values, ',') .. ']'
end

-- The largest of the present values.
local function greatest(values, first, last)
  local most = nil
  for place = first, last do
    local value = values(place)
    if type(value) == 'number' and (not most or value > most) then
      most = value
    end
  end
  return number(most)
end

local function damage(car)
  local body = car.damage and greatest(function(place) return car.damage[place] end, 0, 3)
  local suspension = car.wheels and greatest(function(wheel)
    return car.wheels[wheel] and car.wheels[wheel].suspensionDamage
  end, 0, 3)
  return object({ 'body', 'suspension', 'transmission' }, { body, suspension, number(car.gearboxDamage) })
end

local KEYS = {
  'speed_ms', 'rpm', 'gear', 'throttle', 'brake', 'clutch', 'steer', 'fuel', 'lap_time_ms',
  'position', 'suspension_travel', 'tyre_wear', 'damage', 'weather', 'tyre_temps',
}

local function telemetry(car, sim)
  local at = car.position
  -- An array in the order of KEYS, so that each frame is written in the same order.
  local members = {
    number(car.speedMs) or false,
    number(car.rpm) or false,
    number(car.gear) or false,
    number(car.gas) or false,
    number(car.brake) or false,
    number(car.clutch) or false,
    number(car.steer) or false,
    number(car.fuel) or false,
    number(car.lapTimeMs) or false,
    at and object({ 'x', 'y', 'z' }, { number(at.x), number(at.y), number(at.z) }) or false,
    wheels(car, 'suspensionTravel') or false,
    wheels(car, 'tyreWear') or false,
    damage(car) or false,
    sim and object({ 'track_temp', 'ambient_temp', 'rain' }, {
      number(sim.roadTemperature), number(sim.ambientTemperature), number(sim.rainIntensity),
    }) or false,
    wheels(car, 'tyreCoreTemperature') or false,
  }
  return object(KEYS, members)
end

local socket = connect()

function script.update()
  local car = socket and ac.getCar(0)
  local text = car and telemetry(car, ac.getSim and ac.getSim())
  if text then
    socket:send(text)
  end
end

function script.windowMain()
  ui.text(status)
end
