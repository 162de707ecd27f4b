import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// What mobile clients add to the authorization server: profiles, and counting wrong refresh tokens as wrong PINs.
struct MobileExtension: ServerExtension {
    let registry: DeviceRegistry
}
