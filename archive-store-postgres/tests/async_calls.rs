//! Async code.

use archive::store::Store;
use archive::{ErrorKind, Result};

use crate::server::server;
use crate::server_worlds::{load, world};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

#[test]
fn async_code_runs_a_store_in_a_thread() -> Result {
    let Some(server) = server() else { return Ok(()) };
    let database = server.database();
    runtime().block_on(async {
        let saved =
            database.run(|database| Store::over(database.open("async")?)?.save(&world(10))).await?;
        assert_eq!(saved.written, 14);
        let load = |save: &'static str| {
            database
                .run(move |database| Ok(load(&Store::over(database.open(save)?)?)?.0.units.len()))
        };
        let (units, again) = (load("async").await?, load("async").await?);
        assert_eq!((units, again), (10, 10));
        let error = database.run(|database| database.copy("absent", "b")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        Ok(())
    })
}

#[test]
#[should_panic(expected = "of the function")]
fn a_panic_of_the_function_is_that_of_the_call() {
    let Some(server) = server() else { panic!("skipped, not a panic of the function") };
    let database = server.database();
    let _ = runtime().block_on(database.run::<()>(|_| panic!("of the function")));
}
