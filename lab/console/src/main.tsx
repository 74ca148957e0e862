import { render } from 'preact';
import { App } from './app.js';
import { connect } from './connection.js';

connect();
render(<App />, document.getElementById('page') as HTMLElement);
