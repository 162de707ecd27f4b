// PlatformKit
