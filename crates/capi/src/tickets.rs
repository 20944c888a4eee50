//! Values that arrive later, while the swarm is played.

use crate::readings::{MurmurationReading, Value};
use crate::status::{Buffer, Error, MurmurationStatus, Out, Outcome, ProcessLocal, free, lock, object, run};
use crate::swarm::MurmurationSwarm;
use murmuration::{Patience, Ticket};
use std::ffi::c_void;
use std::sync::Mutex;

/// A requested value. It belongs to the step of the request, even if the caller takes it later. Threads may hand a
/// ticket to each other, but only one at a time may use it. A call of another thread meanwhile returns
/// `MURMURATION_STATUS_BUSY`.
pub struct MurmurationTicket(ProcessLocal<Mutex<Pending>>);

struct Pending {
    ticket: Ticket<Value>,
    /// The value, once it has come.
    value: Option<Value>,
}

impl Pending {
    /// Whether the value has come. With [`Patience::Wait`] the call waits for it.
    fn is_there(&mut self, patience: Patience) -> Outcome<bool> {
        if self.value.is_none() {
            self.value = self.ticket.take(patience)?;
        }
        Ok(self.value.is_some())
    }
}

/// Requests a value of the present step, without waiting for a device. `reading`: a `MurmurationReading`. The caller
/// owns the ticket and frees it by `murmuration_ticket_free`. The ticket may outlive the swarm, but a value of a GPU
/// that has not come by then may never come. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `ticket` is NULL or has space for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_request(
    swarm: *mut MurmurationSwarm,
    reading: u32,
    ticket: *mut *mut MurmurationTicket,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(ticket, "ticket")?) };
        let asked = swarm.lock()?.simulation()?.request(MurmurationReading::from_number(reading)?)?;
        give_ticket(asked, out);
        Ok(())
    })
}

pub fn give_ticket(ticket: Ticket<Value>, out: Out<*mut MurmurationTicket>) {
    let pending = ProcessLocal::new(Mutex::new(Pending { ticket, value: None }));
    out.put(Box::into_raw(Box::new(MurmurationTicket(pending))));
}

/// Puts 1 into `is_ready` if the value has come, and else 0, without waiting for a device. A failure of the device is
/// reported once.
///
/// # Safety
/// `ticket` is NULL or a ticket that was not freed. `is_ready` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_ticket_poll(
    ticket: *mut MurmurationTicket,
    is_ready: *mut u32,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (ticket, out) = unsafe { (object(ticket, "ticket")?, Out::new(is_ready, "is_ready")?) };
        out.put(lock(ticket.0.get("ticket")?)?.is_there(Patience::Poll)?.into());
        Ok(())
    })
}

/// Copies the value into a buffer of the caller, if it has come. Otherwise the status is
/// `MURMURATION_STATUS_NOT_READY`, and `needed` is not written. The ticket keeps the value until it is freed. `buffer`,
/// `capacity` and `needed` are as for `murmuration_read`.
///
/// # Safety
/// `ticket` is NULL or a ticket that was not freed. `buffer` and `needed` as for `murmuration_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_ticket_take(
    ticket: *mut MurmurationTicket,
    buffer: *mut c_void,
    capacity: usize,
    needed: *mut usize,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (ticket, buffer) = unsafe { (object(ticket, "ticket")?, Buffer::new(buffer, capacity, needed)?) };
        let mut pending = lock(ticket.0.get("ticket")?)?;
        pending.is_there(Patience::Poll)?;
        match &pending.value {
            Some(value) => buffer.fill(value.bytes()).map(drop),
            None => Err(Error::new(MurmurationStatus::NotReady, "ticket: its value has not come; poll it again")),
        }
    })
}

/// Frees a ticket, with or without its value. NULL is allowed. While another thread uses the ticket, it is not freed,
/// and the status is `MURMURATION_STATUS_BUSY`.
///
/// # Safety
/// `ticket` is NULL or a ticket that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_ticket_free(ticket: *mut MurmurationTicket) -> MurmurationStatus {
    // SAFETY: as the caller promises.
    run(|| unsafe { free(ticket, |ticket| &ticket.0) })
}
