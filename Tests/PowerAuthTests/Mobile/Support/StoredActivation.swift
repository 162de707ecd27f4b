@testable import struct PowerAuth.Activation

/// The server's activation; the device's module has a type of that name as well.
typealias StoredActivation = Activation
