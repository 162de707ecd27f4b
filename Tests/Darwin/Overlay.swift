// What Apple's Swift overlay of its C library adds to the headers, as far as the sources use it: macros that are no constants, and
// functions with a variable number of arguments. Compiled together with the sources by script/check-darwin, and by nothing else.
import Darwin

var errno: Int32 {
    get { __error().pointee }
    set { __error().pointee = newValue }
}

let SIG_DFL: (@convention(c) (Int32) -> Void)? = nil
let SIG_IGN = unsafeBitCast(1, to: (@convention(c) (Int32) -> Void)?.self)
var MAP_FAILED: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }
let S_IFMT: mode_t = 0o170000
let S_IFIFO: mode_t = 0o010000
let S_IFCHR: mode_t = 0o020000
let S_IFDIR: mode_t = 0o040000
let S_IFREG: mode_t = 0o100000
let S_IFSOCK: mode_t = 0o140000

func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }

let CLOCK_MONOTONIC = _CLOCK_MONOTONIC
let CLOCK_PROCESS_CPUTIME_ID = _CLOCK_PROCESS_CPUTIME_ID
