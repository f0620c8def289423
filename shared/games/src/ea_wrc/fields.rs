//! The channels that the game can send: name, type, since which version of the data, and the channel of the model that
//! each becomes. A structure of the game is a list of these names.

use trailbrake_model::{Axis, Channel, Slot, Wheel};

use crate::table::{Measure, Opposite, Same, Switch};

/// How a number is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A byte that is 0 or 1.
    Boolean,
    /// A byte.
    U8,
    /// Two bytes.
    U16,
    /// Eight bytes.
    U64,
    /// A number of single precision.
    F32,
    /// A number of double precision.
    F64,
}

impl Form {
    /// Its bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Boolean | Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// The type in the game's own list of channels.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U64 => "uint64",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }
}

/// A channel of the model, and how the sent number becomes its value.
type Becomes = (Slot, fn(f32) -> f32);

/// What is known of a field.
struct Row {
    name: &'static str,
    form: Form,
    data_version: u8,
    becomes: &'static [Becomes],
}

/// Declares the fields, those of the game's default structure first.
macro_rules! fields {
    ($(
        $field:ident $name:literal $form:ident $data:literal
        $(=> $channel:ident $(along $axis:ident)? $(of $wheel:ident)? $(in $measure:ident)?)?;
    )*) => {
        /// A channel that the game can send, by the game's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the game's own list of channels explains them")]
        pub enum Field { $($field,)* }

        impl Field {
            /// All of them: those of the default structure, then ids, then what came with version 3 of the data.
            pub const ALL: &'static [Self] = &[$(Self::$field),*];
        }

        static ROWS: [Row; Field::ALL.len()] = [$(Row {
            name: $name,
            form: Form::$form,
            data_version: $data,
            becomes: &[$((
                fields!(@slot $channel $(along $axis)? $(of $wheel)?),
                <fields!(@measure $($measure)?) as Measure>::from_sent,
            ))?],
        },)*];
    };

    (@slot $channel:ident) => { Channel::$channel.slot() };
    (@slot $channel:ident along $axis:ident) => { Channel::$channel.along(Axis::$axis) };
    (@slot $channel:ident of $wheel:ident) => { Channel::$channel.of(Wheel::$wheel) };
    (@measure) => { Same };
    (@measure $measure:ident) => { $measure };
}

fields! {
    PacketUid "packet_uid" U64 2;
    GameTotalTime "game_total_time" F32 2;
    GameDeltaTime "game_delta_time" F32 2;
    GameFrameCount "game_frame_count" U64 2;
    ShiftlightsFraction "shiftlights_fraction" F32 2;
    ShiftlightsRpmStart "shiftlights_rpm_start" F32 2;
    ShiftlightsRpmEnd "shiftlights_rpm_end" F32 2;
    ShiftlightsRpmValid "shiftlights_rpm_valid" Boolean 2;
    GearIndex "vehicle_gear_index" U8 2;
    GearIndexNeutral "vehicle_gear_index_neutral" U8 2;
    GearIndexReverse "vehicle_gear_index_reverse" U8 2;
    GearMaximum "vehicle_gear_maximum" U8 2 => MaxGears;
    Speed "vehicle_speed" F32 2 => Speed;
    TransmissionSpeed "vehicle_transmission_speed" F32 2;
    PositionX "vehicle_position_x" F32 2 => Position along X;
    PositionY "vehicle_position_y" F32 2 => Position along Y;
    PositionZ "vehicle_position_z" F32 2 => Position along Z;
    VelocityX "vehicle_velocity_x" F32 2 => Velocity along X;
    VelocityY "vehicle_velocity_y" F32 2 => Velocity along Y;
    VelocityZ "vehicle_velocity_z" F32 2 => Velocity along Z;
    AccelerationX "vehicle_acceleration_x" F32 2;
    AccelerationY "vehicle_acceleration_y" F32 2;
    AccelerationZ "vehicle_acceleration_z" F32 2;
    LeftDirectionX "vehicle_left_direction_x" F32 2 => Right along X in Opposite;
    LeftDirectionY "vehicle_left_direction_y" F32 2 => Right along Y in Opposite;
    LeftDirectionZ "vehicle_left_direction_z" F32 2 => Right along Z in Opposite;
    ForwardDirectionX "vehicle_forward_direction_x" F32 2 => Forward along X;
    ForwardDirectionY "vehicle_forward_direction_y" F32 2 => Forward along Y;
    ForwardDirectionZ "vehicle_forward_direction_z" F32 2 => Forward along Z;
    UpDirectionX "vehicle_up_direction_x" F32 2 => Up along X;
    UpDirectionY "vehicle_up_direction_y" F32 2 => Up along Y;
    UpDirectionZ "vehicle_up_direction_z" F32 2 => Up along Z;
    HubPositionBl "vehicle_hub_position_bl" F32 2 => SuspensionPosition of RearLeft;
    HubPositionBr "vehicle_hub_position_br" F32 2 => SuspensionPosition of RearRight;
    HubPositionFl "vehicle_hub_position_fl" F32 2 => SuspensionPosition of FrontLeft;
    HubPositionFr "vehicle_hub_position_fr" F32 2 => SuspensionPosition of FrontRight;
    HubVelocityBl "vehicle_hub_velocity_bl" F32 2 => SuspensionVelocity of RearLeft;
    HubVelocityBr "vehicle_hub_velocity_br" F32 2 => SuspensionVelocity of RearRight;
    HubVelocityFl "vehicle_hub_velocity_fl" F32 2 => SuspensionVelocity of FrontLeft;
    HubVelocityFr "vehicle_hub_velocity_fr" F32 2 => SuspensionVelocity of FrontRight;
    CpForwardSpeedBl "vehicle_cp_forward_speed_bl" F32 2 => WheelSpeed of RearLeft;
    CpForwardSpeedBr "vehicle_cp_forward_speed_br" F32 2 => WheelSpeed of RearRight;
    CpForwardSpeedFl "vehicle_cp_forward_speed_fl" F32 2 => WheelSpeed of FrontLeft;
    CpForwardSpeedFr "vehicle_cp_forward_speed_fr" F32 2 => WheelSpeed of FrontRight;
    BrakeTemperatureBl "vehicle_brake_temperature_bl" F32 2 => BrakeTemperature of RearLeft;
    BrakeTemperatureBr "vehicle_brake_temperature_br" F32 2 => BrakeTemperature of RearRight;
    BrakeTemperatureFl "vehicle_brake_temperature_fl" F32 2 => BrakeTemperature of FrontLeft;
    BrakeTemperatureFr "vehicle_brake_temperature_fr" F32 2 => BrakeTemperature of FrontRight;
    EngineRpmMax "vehicle_engine_rpm_max" F32 2 => MaxRpm;
    EngineRpmIdle "vehicle_engine_rpm_idle" F32 2 => IdleRpm;
    EngineRpmCurrent "vehicle_engine_rpm_current" F32 2 => Rpm;
    Throttle "vehicle_throttle" F32 2 => Throttle;
    Brake "vehicle_brake" F32 2 => Brake;
    Clutch "vehicle_clutch" F32 2 => Clutch;
    Steering "vehicle_steering" F32 2 => Steering;
    Handbrake "vehicle_handbrake" F32 2 => Handbrake;
    StageCurrentTime "stage_current_time" F32 2 => LapClock;
    StageCurrentDistance "stage_current_distance" F64 2 => LapDistance;
    StageLength "stage_length" F64 2;

    StageShakedown "stage_shakedown" Boolean 2;
    VehicleId "vehicle_id" U16 2;
    VehicleClassId "vehicle_class_id" U16 2;
    VehicleManufacturerId "vehicle_manufacturer_id" U16 2;
    LocationId "location_id" U16 2;
    RouteId "route_id" U16 2;

    StagePreviousSplitTime "stage_previous_split_time" F32 3;
    StageResultTime "stage_result_time" F32 3;
    StageResultTimePenalty "stage_result_time_penalty" F32 3;
    StageProgress "stage_progress" F32 3;
    // 0 is a whole tyre, and any other number a puncture or worse.
    TyreStateBl "vehicle_tyre_state_bl" U8 3 => TyreDamage of RearLeft in Switch;
    TyreStateBr "vehicle_tyre_state_br" U8 3 => TyreDamage of RearRight in Switch;
    TyreStateFl "vehicle_tyre_state_fl" U8 3 => TyreDamage of FrontLeft in Switch;
    TyreStateFr "vehicle_tyre_state_fr" U8 3 => TyreDamage of FrontRight in Switch;
    ClusterAbs "vehicle_cluster_abs" Boolean 3 => AbsActive;
    StageResultStatus "stage_result_status" U8 3;
    GameMode "game_mode" U8 3;
}

impl Field {
    /// The field of a name; `None` if this version does not know it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }

    /// The game's name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How it is sent.
    pub fn form(self) -> Form {
        self.row().form
    }

    /// The version of the data that brought it.
    pub fn data_version(self) -> u8 {
        self.row().data_version
    }

    /// The channel that it becomes by itself, and its value.
    pub(super) fn channel(self, sent: f64) -> Option<(Slot, f32)> {
        let (slot, from_sent) = self.row().becomes.first()?;
        Some((*slot, from_sent(sent as f32)))
    }

    #[expect(clippy::indexing_slicing, reason = "the table has a row for every field")]
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}
