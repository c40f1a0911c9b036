/// A moment on both clocks.
package struct Moment {
    /// For pauses.
    package let time: MonotonicTime
    /// Seconds since 1970, for what servers say.
    package let seconds: Int

    package init(time: MonotonicTime, seconds: Int) { (self.time, self.seconds) = (time, seconds) }

    package static var now: Moment { Moment(time: .now, seconds: Clock.now) }
}
